import type { Environment, IncidentFault, Noise } from "@microremed/catalogue";
import { logOfFault, logOfNoise, shownBy, targetName } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { canBe, noisesLike, noisesThatFit, type TargetsOf, targetsBeside } from "./like-faults.ts";
import type { Pool } from "./pool.ts";

/**
 * What noises in the places of an incident's faults would write in a change log, and the faults do not: so many changes of each kind are
 * made, on their workloads if that can be. Else fewer would be where something is wrong. Each is placed before the next one is drawn.
 */
export function* drawRemainder(
  drawn: { readonly pool: Pool; readonly all: readonly Noise[]; readonly targetsOf: TargetsOf },
  environment: Environment,
  faults: readonly IncidentFault[],
  rng: Rng,
): Generator<{ readonly noise: Noise; readonly on: string | undefined; readonly at: number }> {
  const { parts } = drawn.pool;
  const standIns = noisesThatFit(drawn.pool.pool.standIns, parts, environment);
  const beside = targetsBeside(faults, parts, environment);
  const taken = new Set<string>();
  for (const one of faults) {
    const fault = parts.faults.get(one.fault);
    const shown = shownBy(fault, environment, one.target);
    if (!fault || !shown) continue;
    const like = noisesLike(one, { all: standIns, parts, environment, targetsOf: beside });
    if (like.length === 0) continue;
    const left = [...logOfNoise(rng.pick(like).noise)];
    for (const kind of logOfFault(fault, environment, one.target)) {
      const at = left.indexOf(kind);
      if (at >= 0) left.splice(at, 1);
    }
    for (const kind of left) {
      const some = drawn.all.filter(
        (noise) => !taken.has(noise.name) && `${logOfNoise(noise)}` === kind && canBe(drawn.targetsOf)(noise),
      );
      if (some.length === 0) continue;
      const noise = rng.pick(some);
      taken.add(noise.name);
      const places = drawn.targetsOf(noise);
      const own = targetName({ environment, target: one.target });
      const on = places.includes(own) ? own : places.length > 0 ? rng.pick(places) : undefined;
      yield { noise, on, at: one.at };
    }
  }
}
