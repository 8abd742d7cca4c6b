import type { Environment, IncidentFault, Noise, ProblemNoise } from "@microremed/catalogue";
import { shownBy, targetName } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { noisesLike, type TargetsOf } from "./like-faults.ts";
import type { Placing } from "./noise-placing.ts";
import type { Pool } from "./pool.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** Harmless changes of a problem beside those in the place of a fault. */
const number = 2;
/** How often a fault is drawn until a noise is found that may be in its place; half of that at the place of the first one. */
const mostTries = 200;

/** What a change log shows in any case. */
interface Shown {
  /** Those that are there: where nothing is wrong, none. */
  readonly faults: readonly IncidentFault[];
  readonly standIns: readonly ProblemNoise[];
}

/**
 * Places noises in the place of faults that are not there, on workloads that have no change, as long as there are any: else one with a
 * fault's change would have more than others. `all`: noises that may be in the place of a fault.
 */
export function drawChanges(
  { pool, parts }: Pick<Pool, "pool" | "parts">,
  environment: Environment,
  { faults, standIns }: Shown,
  all: readonly Noise[],
  {
    placing,
    ago,
    isWatch,
  }: { readonly placing: Placing; readonly ago: () => number | undefined; readonly isWatch: boolean },
  rng: Rng,
): void {
  const nameOf = (target: string): string => targetName({ environment, target });
  const groups = faultsIn({ pool, parts }, environment);
  const shown = faults.filter(({ fault, target }) => shownBy(parts.faults.get(fault), environment, target));
  const changed = new Set([
    ...standIns.flatMap(({ target }) => target ?? []),
    ...shown.map(({ target }) => nameOf(target)),
  ]);

  function change(ago: number | undefined): void {
    if (!isWatch && Object.keys(environment.workloads).every((name) => changed.has(name))) changed.clear();
    const isFree = (workload: string): boolean => !changed.has(workload);
    const first = anyFault(groups, (target) => isFree(nameOf(target)), rng);
    if (!first) return;
    const isFirst = (workload: string): boolean => workload === nameOf(first.target);
    for (let i = 0; i < mostTries; i++) {
      // Where another field is changed already there is less to choose from: it stays the place, as long as anything can be there.
      const isThere = i < mostTries / 2 ? isFirst : isFree;
      const fault = i === 0 ? first : anyFault(groups, (target) => isThere(nameOf(target)), rng);
      if (!fault) return;
      const targetsOf: TargetsOf = (noise) => placing.openTo(noise).filter(isThere);
      const some = noisesLike(fault, {
        ...{ parts, environment, targetsOf },
        all: all.filter(({ name, targets }) => !placing.isTaken(name) && targets),
      }).filter(({ places }) => places.length > 0);
      if (some.length === 0) continue;
      const { noise, places } = rng.pick(some);
      const on = rng.pick(places);
      changed.add(on);
      placing.place(noise, on, ago);
      return;
    }
  }

  for (let i = 0; i < number; i++) change(ago());
}

/** A fault of a pool, and where it could be. */
interface PlacedFault {
  readonly fault: string;
  readonly targets: readonly string[];
}

/** The faults of a pool that fit an environment, by group. */
function faultsIn({ pool, parts }: Pick<Pool, "pool" | "parts">, environment: Environment): PlacedFault[][] {
  return Object.values(pool.faults).map((names) =>
    names.flatMap((fault) => {
      const entry = parts.faults.get(fault);
      return entry ? [{ fault, targets: faultTargetsIn(entry, environment) }] : [];
    }),
  );
}

/** A fault at a place where it could be, as an incident has them; undefined: none can be at such a place. */
function anyFault(
  groups: readonly (readonly PlacedFault[])[],
  isThere: (target: string) => boolean,
  rng: Rng,
): Pick<IncidentFault, "fault" | "target"> | undefined {
  const open = groups
    .map((group) =>
      group.flatMap(({ fault, targets }) => {
        const some = targets.filter(isThere);
        return some.length > 0 ? [{ fault, targets: some }] : [];
      }),
    )
    .filter(({ length }) => length > 0);
  if (open.length === 0) return undefined;
  const { fault, targets } = rng.pick(rng.pick(open));
  return { fault, target: rng.pick(targets) };
}
