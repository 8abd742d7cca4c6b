import type { Environment, IncidentFault, Noise, ProblemNoise } from "@microremed/catalogue";
import { targetOf } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { drawChanges } from "./draw-changes.ts";
import { drawRemainder } from "./draw-remainder.ts";
import { canBe, noisesThatFit, type TargetsOf } from "./like-faults.ts";
import { startPlacing } from "./noise-placing.ts";
import type { Times } from "./noise-times.ts";
import type { Pool } from "./pool.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** How often noises are drawn until one is not there yet. */
const mostTries = 200;

/**
 * Different noises, on workloads that are drawn as another incident's would be: a workload with many faults, as one that keeps
 * data, has as many noises. No two change the same field of an object. The places of the faults are not regarded, so that those of noises predict nothing. In a watch
 * a noise that could end a fault, or could end it if it were there, comes before it. Some are in the place of faults that are not there, so that none is
 * seen only where nothing is wrong.
 */
export function drawNoises(
  from: Pool & { readonly task: string; readonly isHealthy: boolean },
  environment: Environment,
  faults: readonly IncidentFault[],
  standIns: readonly ProblemNoise[],
  times: Times,
  rng: Rng,
): readonly ProblemNoise[] {
  const { pool, parts, deal, task, isHealthy } = from;
  const isWatch = parts.watches.has(task);
  const placing = startPlacing(environment, parts, { faults, standIns, isWatch, times }, rng);
  const { drawn, isTaken, targetsOf, openTo, place } = placing;
  const all = noisesThatFit(pool.noises, parts, environment);
  const left = () => all.filter(({ name }) => !isTaken(name));
  const count = Math.min(deal("number of noises", pool.noisesEach), left().length);
  const likeFaults = noisesThatFit(pool.standIns, parts, environment);
  const shown = { faults: isHealthy ? [] : faults, standIns };
  // A change is followed by a fault as seldom as by another change: none is a reason to raise an alarm.
  const ago = (): number | undefined => (isWatch ? times.ofFault(0) : undefined);
  drawChanges(from, environment, shown, likeFaults, { placing, ago, isWatch }, rng);
  const remainder = {
    ...{ pool: from, targetsOf: openTo },
    all: likeFaults.filter(({ name, targets }) => !isTaken(name) && targets),
  };
  if (!isHealthy)
    for (const { noise, on, at } of drawRemainder(remainder, environment, faults, rng.fork("remainder")))
      place(noise, on, isWatch ? times.ofFault(at) : times.drawn());
  const places = placesOfFaults({ pool, parts }, environment);
  for (let i = 0; drawn.length < count && i < mostTries; i++) {
    const dealt = deal(`noises in ${environment.name}`, all);
    // One that is there already is passed over: a bag has the others next.
    if (isTaken(dealt.name) || !canBe(targetsOf)(dealt)) continue;
    place(...placed(dealt, left(), places, targetsOf, rng.fork(`noise ${drawn.length}`)));
  }
  return drawn;
}

type Places = readonly (readonly (readonly string[])[])[];

const placeFrom = (places: Places, rng: Rng): string => rng.pick(rng.pick(rng.pick(places)));

/** Names of the workloads on which faults of a pool change something for all to see: by group, and by fault. */
function placesOfFaults(
  { pool, parts }: Pick<Pool, "pool" | "parts">,
  environment: Environment,
): string[][][] {
  const namesOf = (targets: readonly string[]): string[] =>
    targets.flatMap((target) => targetOf(environment, target)?.name ?? []);
  return Object.values(pool.faults)
    .map((names) =>
      names.flatMap((name) => {
        const fault = parts.faults.get(name);
        const workloads = fault && !fault.cause ? namesOf(faultTargetsIn(fault, environment)) : [];
        return workloads.length > 0 ? [workloads] : [];
      }),
    )
    .filter(({ length }) => length > 0);
}

/** A noise and where it is: the one that was dealt, or another one where that cannot be. */
function placed(
  dealt: Noise,
  left: readonly Noise[],
  places: Places,
  targetsOf: TargetsOf,
  rng: Rng,
): [Noise, string | undefined] {
  const possible = targetsOf(dealt);
  if (possible.length === 0) return [dealt, undefined];
  if (places.length === 0) return [dealt, rng.pick(possible)];
  const place = placeFrom(places, rng);
  if (possible.includes(place)) return [dealt, place];
  const others = left.filter((noise) => targetsOf(noise).includes(place));
  return others.length > 0 ? [rng.pick(others), place] : [dealt, rng.pick(possible)];
}
