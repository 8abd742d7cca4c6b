import { type ProbeSpec, probeHandlers } from "@microremed/catalogue/environment";
import type { ReadinessProbe } from "@microremed/cluster";

/** A slow program may be given more time, but within three times its own a program that fails must be found out. */
const mostSlower = 3;

/**
 * Why a container that is Ready by this probe is not known to be Ready by its own; undefined: it is. Without a probe a
 * container is Ready as soon as it runs, whatever runs in it; by another kind of probe, or by one that notices failures
 * long after its own would, too.
 */
export function probeProblem(own: ProbeSpec, running: ReadinessProbe | undefined): string | undefined {
  if (running === undefined) return "has no readiness probe any more";
  const handler = probeHandlers[own.type];
  if (running[handler] === undefined) return `has another readiness probe than its ${handler}`;
  const usual = own.periodSeconds * own.failureThreshold;
  const { periodSeconds = 10, failureThreshold = 3 } = running;
  const seconds = periodSeconds * failureThreshold;
  if (seconds <= mostSlower * usual) return undefined;
  return `has a readiness probe that takes ${seconds} s to notice a failure instead of ${usual} s`;
}
