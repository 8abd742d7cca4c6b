import type { Environment, IncidentFault, Noise, ProblemNoise } from "@microremed/catalogue";
import { targetName } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { type TargetsOf, targetsBeside, unlikeFaults, unlikeNoises, untouchedBy } from "./like-faults.ts";
import { noiseOf } from "./noise-of.ts";
import type { Times } from "./noise-times.ts";
import type { ProblemParts } from "./problem-issues.ts";

/** The noises of a problem while they are drawn, and where further ones may be. */
export interface Placing {
  /** Without those in the places of faults. */
  readonly drawn: readonly ProblemNoise[];
  /** Whether a noise of that name is there already. */
  isTaken(name: string): boolean;
  readonly targetsOf: TargetsOf;
  /** In a watch without the workloads on which a noise could end a fault. */
  readonly openTo: TargetsOf;
  /** `ago`: in a watch a noise that could end a fault comes before it, whatever is asked for; default: a drawn time. */
  place(noise: Noise, target: string | undefined, ago?: number): void;
}

export function startPlacing(
  environment: Environment,
  parts: ProblemParts,
  {
    faults,
    standIns,
    isWatch,
    times,
  }: {
    readonly faults: readonly IncidentFault[];
    readonly standIns: readonly ProblemNoise[];
    readonly isWatch: boolean;
    readonly times: Times;
  },
  rng: Rng,
): Placing {
  const untouched = untouchedBy(faults, parts, environment);
  const beside = targetsBeside(faults, parts, environment);
  const before = unlikeFaults(faults, parts, environment);
  const drawn: ProblemNoise[] = [];
  const taken = new Set<string>();
  const used = new Set(faults.map(({ target }) => targetName({ environment, target })));
  const closed = new Set<string>();
  let free = unlikeNoises(standIns, parts, environment);
  // It is asked thousands of times, and is the same until a noise is placed.
  const known = new Map<string, readonly string[]>();

  function use({ noise, target }: ProblemNoise): void {
    taken.add(noise);
    if (target === undefined) return;
    used.add(target);
    if (parts.noises.get(noise)?.alone) closed.add(target);
  }
  function targetsOf(noise: Noise): readonly string[] {
    const found =
      known.get(noise.name) ??
      beside(noise).filter(
        (on) => !closed.has(on) && !(noise.alone && used.has(on)) && before(noise, on) && free(noise, on),
      );
    known.set(noise.name, found);
    return found;
  }
  function place(noise: Noise, target: string | undefined, ago = times.drawn()): void {
    const isTooLate = isWatch && ago < 0 && target !== undefined && !untouched(target);
    const one = noiseOf(noise, environment, target, isTooLate ? times.earlier() : ago, rng);
    use(one);
    drawn.push(one);
    free = unlikeNoises([...standIns, ...drawn], parts, environment);
    known.clear();
  }

  for (const one of standIns) use(one);
  return {
    drawn,
    isTaken: (name) => taken.has(name),
    targetsOf,
    openTo: (noise) => targetsOf(noise).filter((on) => !isWatch || untouched(on)),
    place,
  };
}
