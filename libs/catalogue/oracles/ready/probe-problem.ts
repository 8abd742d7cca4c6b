import { noticeSeconds, noticesTooLate } from "@microremed/catalogue";
import { type ProbeSpec, probeHandlers } from "@microremed/catalogue/environment";
import type { ReadinessProbe } from "@microremed/cluster";

/**
 * Why a container that is Ready by this probe is not known to be Ready by its own; undefined: it is. Without a probe a
 * container is Ready as soon as it runs, whatever runs in it; by another kind of probe, or by one that notices failures
 * long after its own would, too.
 */
export function probeProblem(own: ProbeSpec, running: ReadinessProbe | undefined): string | undefined {
  if (running === undefined) return "has no readiness probe any more";
  const handler = probeHandlers[own.type];
  if (running[handler] === undefined) return `has another readiness probe than its ${handler}`;
  if (!noticesTooLate(own, running)) return undefined;
  return `has a readiness probe that takes ${noticeSeconds(running)} s to notice a failure instead of ${noticeSeconds(own)} s`;
}
