import type { Environment, IncidentFault, ProblemNoise } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import {
  noisesLike,
  noisesThatFit,
  type TargetsOf,
  targetsBeside,
  unlikeFaults,
  unlikeNoises,
  untouchedBy,
} from "./like-faults.ts";
import { noiseOf } from "./noise-of.ts";
import type { Times } from "./noise-times.ts";
import type { Pool } from "./pool.ts";

/**
 * Noises in the places of faults: where a change log would show the fault, one that changes the same field, on the same workload if it
 * may be there. In the place of any other fault any of them, anywhere. So no field is changed more often where something is wrong,
 * and what is harmless is as much beside a fault that no change log shows as where nothing is wrong. In a watch none is where it could end a
 * fault of the incident (`incident`, of which `faults` have stand-ins) by a new pod. None changes what a fault that is there
 * (`isHealthy`: none is) or another one changes.
 */
export function drawStandIns(
  { pool, parts, deal }: Pool,
  environment: Environment,
  {
    incident,
    faults,
    isHealthy,
    isWatch,
  }: {
    readonly incident: readonly IncidentFault[];
    readonly faults: readonly IncidentFault[];
    readonly isHealthy: boolean;
    readonly isWatch: boolean;
  },
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const all = noisesThatFit(pool.standIns, parts, environment);
  const isOpen = isWatch ? untouchedBy(incident, parts, environment) : () => true;
  const beside = targetsBeside(incident, parts, environment);
  const unlike = unlikeFaults(isHealthy ? [] : incident, parts, environment);
  const drawn: ProblemNoise[] = [];
  for (const fault of faults) {
    const free = unlikeNoises(drawn, parts, environment);
    const targetsOf: TargetsOf = (noise) =>
      beside(noise).filter((on) => isOpen(on) && unlike(noise, on) && free(noise, on));
    const some = noisesLike(fault, { all, parts, environment, targetsOf });
    if (some.length === 0) continue;
    const names = some.map(({ noise }) => noise.name);
    const { noise, places } = deal(`stand-ins ${names} in ${environment.name}`, some);
    const on = places.length > 0 ? rng.pick(places) : undefined;
    // The same noise a second time makes another object.
    const again = drawn.filter((one) => one.noise === noise.name).length;
    const values = again === 0 ? rng : rng.fork(`again ${again}`);
    // That it comes with a fault that no change log shows would say that it is none.
    const ago = isWatch || isHealthy ? times.ofFault(fault.at) : times.drawn();
    drawn.push(noiseOf(noise, environment, on, ago, values));
  }
  return drawn;
}
