import type { Environment, IncidentFault, Noise, ProblemNoise } from "@microremed/catalogue";
import {
  drawnParameters,
  logOfFault,
  logOfNoise,
  shownBy,
  targetName,
  targetOf,
} from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import {
  canBe,
  endedByPodsOf,
  noisesLike,
  noisesThatFit,
  type TargetsOf,
  targetsBeside,
  unlikeFaults,
  unlikeNoises,
} from "./like-faults.ts";
import type { Times } from "./noise-times.ts";
import type { Pool } from "./pool.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** Harmless changes of a problem beside those in the place of a fault, on different workloads. */
const changes = 2;
/** How often a fault is drawn until a noise is found that may be in its place, and noises until one is not there yet. */
const mostTries = 200;

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

/** Whether a workload is one that no fault is on, and whose new pods could end none. */
function untouchedBy(
  incident: readonly IncidentFault[],
  parts: Pool["parts"],
  environment: Environment,
): (workload: string) => boolean {
  const failed = new Set(incident.map(({ target }) => targetName({ environment, target })));
  const onPods = endedByPodsOf(incident, parts, environment);
  return (workload) => !failed.has(workload) && !onPods.has(workload);
}

/**
 * What noises in the places of an incident's faults would write in a change log, and the faults do not: so many changes of each kind are
 * made, on their workloads if that can be. Else fewer would be where something is wrong. Each is placed before the next one is drawn.
 */
function* drawRemainder(
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

function noiseOf(
  noise: Noise,
  environment: Environment,
  target: string | undefined,
  ago: number,
  rng: Rng,
): ProblemNoise {
  const parameters = drawnForNoise(
    noise,
    environment,
    target,
    undefined,
    rng.fork(`values of ${noise.name}`),
  );
  return {
    noise: noise.name,
    ...(target !== undefined && { target }),
    ...(parameters && { parameters }),
    ago,
  };
}

/** Of what is beside the system the names are as if it belonged to one of its workloads. */
export function drawnForNoise(
  noise: Pick<Noise, "drawn">,
  environment: Environment,
  target: string | undefined,
  given: ProblemNoise["parameters"],
  rng: Rng,
): ProblemNoise["parameters"] {
  const near = target ?? rng.pick(Object.keys(environment.workloads));
  return drawnParameters(noise, { environment, target: near }, given, rng);
}

/**
 * Different noises, on workloads that are drawn as another incident's would be: a workload with many faults, as one that keeps
 * data, has as many noises. No two change the same field of an object. The places of the faults are not regarded, so that those of noises predict nothing. In a watch
 * a noise that could end a fault, or could end it if it were there, comes before it. Some are in the place of faults that are not there (`anyFault`), so that none is
 * seen only where nothing is wrong.
 */
export function drawNoises(
  from: Pool & { readonly task: string; readonly isHealthy: boolean },
  environment: Environment,
  faults: readonly IncidentFault[],
  standIns: readonly ProblemNoise[],
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const { pool, parts, deal, task, isHealthy } = from;
  const taken = new Set(standIns.map(({ noise }) => noise));
  const all = noisesThatFit(pool.noises, parts, environment);
  const count = Math.min(
    deal("number of noises", pool.noisesEach),
    all.filter(({ name }) => !taken.has(name)).length,
  );
  const failed = faults.map(({ target }) => targetName({ environment, target }));
  const untouched = untouchedBy(faults, parts, environment);
  const isWatch = parts.watches.has(task);
  const beside = targetsBeside(faults, parts, environment);
  const before = unlikeFaults(faults, parts, environment);
  const [used, closed] = [new Set(failed), new Set<string>()];
  const isAlone = (name: string): boolean => parts.noises.get(name)?.alone === true;
  const use = ({ noise, target }: ProblemNoise): void => {
    if (target === undefined) return;
    used.add(target);
    if (isAlone(noise)) closed.add(target);
  };
  for (const one of standIns) use(one);
  const drawn: ProblemNoise[] = [];
  let free = unlikeNoises(standIns, parts, environment);
  // It is asked thousands of times, and is the same until a noise is placed.
  const known = new Map<string, readonly string[]>();
  const targetsOf: TargetsOf = (noise) => {
    const found =
      known.get(noise.name) ??
      beside(noise).filter(
        (on) => !closed.has(on) && !(noise.alone && used.has(on)) && before(noise, on) && free(noise, on),
      );
    known.set(noise.name, found);
    return found;
  };
  const open: TargetsOf = (noise) => targetsOf(noise).filter((on) => !isWatch || untouched(on));
  const left = () => all.filter(({ name }) => !taken.has(name));
  const places = placesOfFaults({ pool, parts }, environment);
  const place = (noise: Noise, target: string | undefined, ago = times.drawn()): void => {
    taken.add(noise.name);
    const isTooLate = isWatch && ago < 0 && target !== undefined && !untouched(target);
    const one = noiseOf(noise, environment, target, isTooLate ? times.earlier() : ago, rng);
    use(one);
    drawn.push(one);
    free = unlikeNoises([...standIns, ...drawn], parts, environment);
    known.clear();
  };
  const likeFaults = noisesThatFit(pool.standIns, parts, environment);
  const shown = isHealthy
    ? []
    : faults.filter(({ fault, target }) => shownBy(parts.faults.get(fault), environment, target));
  const nameOf = (target: string): string => targetName({ environment, target });
  const groups = faultsIn({ pool, parts }, environment);
  const changed = new Set([
    ...standIns.flatMap(({ target }) => target ?? []),
    ...shown.map(({ target }) => targetName({ environment, target })),
  ]);
  const change = (ago?: number): void => {
    // Else a workload with a change in the place of a fault, or with the fault's, would have more than others.
    if (!isWatch && Object.keys(environment.workloads).every((name) => changed.has(name))) changed.clear();
    const isFree = (target: string): boolean => !changed.has(nameOf(target));
    const first = anyFault(groups, isFree, rng);
    if (!first) return;
    for (let i = 0; i < mostTries; i++) {
      // Where another field is changed already there is less to choose from: it stays the place, as long as anything can be there.
      const isThere =
        i < mostTries / 2 ? (target: string) => nameOf(target) === nameOf(first.target) : isFree;
      const fault = i === 0 ? first : anyFault(groups, isThere, rng);
      if (!fault) return;
      const free: TargetsOf = (noise) =>
        open(noise).filter((on) => (i < mostTries / 2 ? on === nameOf(first.target) : !changed.has(on)));
      const some = noisesLike(fault, {
        ...{ parts, environment, targetsOf: free },
        all: likeFaults.filter(({ name, targets }) => !taken.has(name) && targets),
      }).filter((one) => one.places.length > 0);
      if (some.length === 0) continue;
      const { noise, places: possible } = rng.pick(some);
      const on = rng.pick(possible);
      changed.add(on);
      place(noise, on, ago);
      return;
    }
  };
  // A change is followed by a fault as seldom as by another change: none is a reason to raise an alarm.
  for (let i = 0; i < changes; i++) change(isWatch ? times.ofFault(0) : undefined);
  const remainder = {
    ...{ pool: from, targetsOf: open },
    all: likeFaults.filter(({ name, targets }) => !taken.has(name) && targets),
  };
  if (!isHealthy)
    for (const { noise, on, at } of drawRemainder(remainder, environment, faults, rng.fork("remainder")))
      place(noise, on, isWatch ? times.ofFault(at) : times.drawn());
  for (let i = 0; drawn.length < count && i < mostTries; i++) {
    const dealt = deal(`noises in ${environment.name}`, all);
    // One that is there already is passed over: a bag has the others next.
    if (taken.has(dealt.name) || !canBe(targetsOf)(dealt)) continue;
    place(...placed(dealt, left(), places, targetsOf, rng.fork(`noise ${drawn.length}`)));
  }
  return drawn;
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
