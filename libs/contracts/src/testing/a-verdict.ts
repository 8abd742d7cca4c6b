import type { Verdict } from "../records/verdict.ts";

/** A verdict that says no, with nothing measured. */
export const aVerdict: Verdict = {
  recovered: false,
  reason: "not asked",
  oracles: [],
  clusterSeconds: 1,
  microremed: { recovered: false, reason: "not asked", measurements: [] },
  observation: "nothing",
  disruption: {
    injection: {
      seconds: 0,
      requests: null,
      failed: null,
      slow: null,
      violationSeconds: null,
      podsRestarted: 0,
    },
    remedy: null,
    mitigatedSeconds: null,
    recoveredSeconds: null,
  },
};
