import type { Rng } from "@microremed/core";
import type { CallSpec } from "@microremed/environments";
import type { Latency } from "@microremed/sim-physics";

/** What of a request is chance. */
export interface Draws {
  /** Ms. */
  latency(latency: Latency): number;
  /** How often one request makes the call. */
  times(call: CallSpec): number;
  target(call: CallSpec): string;
}

export function createDraws(rng: Rng): Draws {
  return {
    latency: ({ fixed, mean }) => (mean > fixed ? fixed - Math.log(rng.float()) * (mean - fixed) : fixed),
    times({ perRequest }) {
      const whole = Math.floor(perRequest);
      return whole + (rng.float() < perRequest - whole ? 1 : 0);
    },
    target: ({ paths, protocol, to }) =>
      protocol === "http" ? (paths.length > 0 ? rng.pick(paths) : "/") : to,
  };
}
