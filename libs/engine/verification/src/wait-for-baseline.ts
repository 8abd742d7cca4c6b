import type { FaultContext } from "@microremed/catalogue";
import { waitFor } from "@microremed/core";

/** Cluster time, ms. Metrics come every 15 s, and a pod that just started needs two of them. */
const timeoutMs = 180_000;
/** Shorter than the 15 s between two samples of metrics, so that a new one is soon seen. Cluster time, ms. */
const intervalMs = 5000;
/** Where one check takes long, as on a busy machine with a fast clock, the time alone must not end the wait. */
const leastChecks = 8;

/**
 * Checks until the target has a baseline, or measures as its baseline says. Throws `deadline-exceeded` with what
 * `describe` last saw after 180 s of cluster time and eight checks.
 */
export function waitForBaseline<T>(
  { cluster, signal }: FaultContext,
  what: string,
  check: () => Promise<T | undefined>,
  describe: () => string,
): Promise<T> {
  const { clock } = cluster;
  return waitFor(
    { clock, what, timeoutMs, intervalMs, leastChecks, ...(signal && { signal }) },
    check,
    describe,
  );
}
