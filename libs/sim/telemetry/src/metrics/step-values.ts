import { type Latency, percentile95Of } from "@microremed/sim-physics";

/** What was measured of one pod at one moment, in the order in which it is stored. */
export type Measured = readonly [
  cores: number,
  bytes: number,
  requestsPerSecond: number,
  /** 0..1 */
  failed: number,
  /** The requests' latency, ms. */
  fixed: number,
  mean: number,
];

/** What a step's values are, in order: cores, bytes, requests/s, share of failed requests (0..1), ms, ms. */
export const valueNames = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;

/** Of one pod, or of the pods of one workload, in one step. Null: nothing was served in it, so there is no such value. */
export type StepValues = readonly (number | null)[];

/** Adds up the moments of a step. */
export interface StepSums {
  /** `at`: the moment; the pods of a workload are measured at the same one. */
  add(measured: Measured, at: number): void;
  /**
   * Rates are over the whole step, in which `moments` were measured; memory is the mean while there was a pod. What requests
   * took, and how many failed, is that of all requests of the step together.
   */
  values(moments: number): StepValues;
}

export function createStepSums(): StepSums {
  const there = new Set<number>();
  const kinds = new Map<string, { count: number; readonly latency: Latency }>();
  const total = { cores: 0, bytes: 0, requests: 0, failed: 0, ms: 0 };

  return {
    add([cores, bytes, requests, failed, fixed, mean], at) {
      there.add(at);
      total.cores += cores;
      total.bytes += bytes;
      if (requests <= 0) return;
      total.requests += requests;
      total.failed += requests * failed;
      total.ms += requests * mean;
      const key = `${fixed} ${mean}`;
      const kind = kinds.get(key) ?? { count: 0, latency: { fixed, mean } };
      kinds.set(key, kind);
      kind.count += requests;
    },
    values(moments) {
      const { cores, bytes, requests, failed, ms } = total;
      const used = [cores / moments, bytes / there.size, requests / moments];
      if (requests === 0) return [...used, null, null, null];
      return [...used, failed / requests, ms / requests, percentile95Of([...kinds.values()])];
    },
  };
}
