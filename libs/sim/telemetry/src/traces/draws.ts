import type { Rng } from "@microremed/core";
import type { CallSpec } from "@microremed/environments";
import type { Latency, RequestKind } from "@microremed/sim-physics";

/** What of a request is chance. */
export interface Draws {
  /** Ms. */
  latency(latency: Latency): number;
  /** How often one request makes the call. */
  times(call: CallSpec): number;
  /** What a call asks for. `asked`: of the caller, who passes it on if it is one of the call's paths. */
  target(call: CallSpec, asked: string): string;
  /** Which kind of a program's requests one for a path is. */
  kind(mix: readonly RequestKind[], path: string): Pick<RequestKind, "routes">;
}

/** One of several, each as often as its share says; the shares add up to 1. */
export function pickByShare<T extends { readonly share: number }>(
  rng: Rng,
  choices: readonly T[],
): T | undefined {
  if (choices.length < 2) return choices[0];
  let left = rng.float();
  for (const choice of choices) {
    left -= choice.share;
    if (left < 0) return choice;
  }
  return choices.at(-1);
}

export function createDraws(rng: Rng): Draws {
  return {
    latency: ({ fixed, mean }) => (mean > fixed ? fixed - Math.log(rng.float()) * (mean - fixed) : fixed),
    times({ perRequest }) {
      const whole = Math.floor(perRequest);
      return whole + (rng.float() < perRequest - whole ? 1 : 0);
    },
    target({ paths, protocol, to, operation = to }, asked) {
      if (protocol !== "http") return operation;
      return paths.includes(asked) || paths.length === 0 ? asked : rng.pick(paths);
    },
    kind(mix, path) {
      const [first, ...others] = mix;
      if (others.length === 0) return first ?? { routes: [] };
      return mix.find((kind) => kind.path === path) ?? pickByShare(rng, mix) ?? { routes: [] };
    },
  };
}
