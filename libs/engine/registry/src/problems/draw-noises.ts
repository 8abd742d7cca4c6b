import type { Environment, Fault, IncidentFault, Noise, ProblemNoise } from "@microremed/catalogue";
import { drawnParameters, isSameField, noSuchObject, targetName, targetOf } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import type { Times } from "./noise-times.ts";
import type { Pool } from "./pool.ts";
import type { ProblemParts } from "./problem-issues.ts";
import { faultTargetsIn, noiseTargetsIn } from "./targets-in.ts";

/** Harmless changes of a watch that come when a fault does, beside those in the place of one. */
const changesInWatch = 2;
/** How often a second workload is drawn until it is another one. */
const mostTries = 100;

/**
 * Noises in the places of faults: where a change log would show the fault, one that changes the same field, on the same workload if it
 * may be there. In the place of any other fault any of them, elsewhere. So no field is changed more often where something is wrong,
 * and what is harmless is as much beside a fault that no change log shows as where nothing is wrong. None is where it could end a
 * fault of the incident (`incident`, of which `faults` have stand-ins) by a new pod.
 */
export function drawStandIns(
  { pool, parts, deal }: Pool,
  environment: Environment,
  {
    incident,
    faults,
  }: { readonly incident: readonly IncidentFault[]; readonly faults: readonly IncidentFault[] },
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const fit = noisesThatFit(pool.standIns, parts, environment);
  const onPods = endedByPodsOf(incident, parts, environment);
  const targetsOf = targetsBeside(incident, parts, environment);
  return faults.flatMap(({ fault, target, at }) => {
    const shown = shownBy(parts.faults.get(fault), environment, target);
    const changed = shown?.field === "" ? undefined : shown;
    const place = targetName({ environment, target });
    const placesOf = (noise: Noise): readonly string[] => {
      const possible = targetsOf(noise).filter((name) => !onPods.has(name));
      if (changed === undefined) return possible.filter((name) => name !== place);
      return possible.includes(place) ? [place] : possible;
    };
    const all = fit.filter(canBe(placesOf));
    const some = changed
      ? twinsOf(parts.faults.get(fault), changed, { all, environment, place, targetsOf })
      : all;
    if (some.length === 0) return [];
    const noise = deal(`stand-ins ${some.map(({ name }) => name)} in ${environment.name}`, some);
    const possible = placesOf(noise);
    const on = possible.length > 0 ? rng.pick(possible) : undefined;
    return [noiseOf(noise, environment, on, times.ofFault(at), rng)];
  });
}

/** Names of the workloads whose new pods could end a fault of an incident. */
function endedByPodsOf(
  incident: readonly IncidentFault[],
  { faults }: ProblemParts,
  environment: Environment,
): ReadonlySet<string> {
  return new Set(
    incident.flatMap(({ fault: name, target }) => {
      const fault = faults.get(name);
      const on = targetName({ environment, target });
      return fault?.endedByPodsOf?.(environment, on) ?? (fault?.cause ? [on] : []);
    }),
  );
}

type TargetsOf = (noise: Noise) => readonly string[];

/** Names of the workloads that a noise may be on where the incident is: not where it would keep a fault from being seen. */
function targetsBeside(
  incident: readonly IncidentFault[],
  { faults }: ProblemParts,
  environment: Environment,
): TargetsOf {
  const hiding = incident.flatMap(({ fault, target }) => {
    const fields = faults.get(fault)?.hiddenBy ?? [];
    return fields.map((field) => ({ field, on: targetName({ environment, target }) }));
  });
  return (noise) =>
    noiseTargetsIn(noise, environment).filter(
      (name) => !hiding.some(({ field, on }) => on === name && noise.changes?.includes(field)),
    );
}

/**
 * Whether a noise on a workload changes no field there that a fault changes, or would: else what is right would be what the noise has set, and
 * no more what the environment declares.
 */
function unlikeFaults(
  faults: readonly IncidentFault[],
  parts: ProblemParts,
  environment: Environment,
): (noise: Noise, on: string) => boolean {
  const changed = faults.flatMap(({ fault, target }) => {
    const truth = parts.faults.get(fault)?.truth({ environment, target });
    return (truth?.objects ?? []).map(({ field }) => ({ field, on: targetName({ environment, target }) }));
  });
  return ({ changes = [] }, on) =>
    !changed.some((one) => one.on === on && changes.some((field) => isSameField(field, one.field)));
}

/** Whether a noise has a place among those, or needs none. */
const canBe =
  (placesOf: (noise: Noise) => readonly string[]) =>
  (noise: Noise): boolean =>
    noise.targets === undefined || placesOf(noise).length > 0;

/**
 * The noises that are most like a fault's change: that look like it, of the same field, at the same place, of the same kind of
 * object, or any.
 */
function twinsOf(
  fault: Fault | undefined,
  changed: Shown,
  {
    all,
    environment,
    place,
    targetsOf,
  }: {
    readonly all: readonly Noise[];
    readonly environment: Environment;
    readonly place: string;
    readonly targetsOf: TargetsOf;
  },
): readonly Noise[] {
  const isThere = (noise: Noise): boolean => targetsOf(noise).includes(place);
  const alike = all.filter((noise) => changesKind(noise, environment, changed.kind));
  const twins = alike.filter(({ changes = [] }) =>
    changes.some((field) => isSameField(field, changed.field)),
  );
  const own = all.filter(({ name }) => fault?.lookalikes?.includes(name));
  const choices = [own.filter(isThere), own, twins.filter(isThere), twins, alike.filter(isThere), alike, all];
  return choices.find(({ length }) => length > 0) ?? [];
}

interface Shown {
  readonly kind: string;
  readonly field: string;
}

/** What a change log shows of a fault: the object, and which field; no field: it was made or deleted. Undefined: nothing. */
export function shownBy(
  fault: Fault | undefined,
  environment: Environment,
  target: string,
): Shown | undefined {
  if (!fault || fault.cause) return undefined;
  const [object] = fault.truth({ environment, target }).objects;
  // What has no field of a workload is inside its program, and a log has no line for what was deleted.
  const isNoLine = object?.field === "" && (isWorkloadKind(object.kind) || object.wrong === noSuchObject);
  return isNoLine ? undefined : object;
}

const isWorkloadKind = (kind: string): boolean => ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);

/** Whether a noise changes an object of that kind. */
function changesKind(noise: Noise, environment: Environment, kind: string): boolean {
  const [target = ""] = noiseTargetsIn(noise, environment);
  return noise.decoys({ environment, target }).some((one) => one.kind === kind);
}

function noisesThatFit(
  names: readonly string[],
  { noises }: ProblemParts,
  environment: Environment,
): Noise[] {
  return names.flatMap((name) => {
    const noise = noises.get(name);
    return !noise || (noise.targets && noiseTargetsIn(noise, environment).length === 0) ? [] : [noise];
  });
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
 * data, has as many noises. The places of the faults are not regarded, so that those of noises predict nothing. Where a fault is, or
 * would be, a noise comes before it: it could end it.
 */
export function drawNoises(
  { pool, parts, deal, task }: Pool & { readonly task: string },
  environment: Environment,
  faults: readonly IncidentFault[],
  standIns: readonly ProblemNoise[],
  times: Times,
  rng: Rng,
): ProblemNoise[] {
  const taken = new Set(standIns.map(({ noise }) => noise));
  const all = noisesThatFit(pool.noises, parts, environment);
  const left = () => all.filter(({ name }) => !taken.has(name));
  const count = Math.min(deal("number of noises", pool.noisesEach), left().length);
  const failed = new Set(faults.map(({ target }) => targetName({ environment, target })));
  const onPods = endedByPodsOf(faults, parts, environment);
  const beside = targetsBeside(faults, parts, environment);
  const before = unlikeFaults(faults, parts, environment);
  const targetsOf: TargetsOf = (noise) => beside(noise).filter((on) => before(noise, on));
  const places = placesOfFaults({ pool, parts }, environment);
  const drawn: ProblemNoise[] = [];
  const place = (noise: Noise, target: string | undefined, ago = times.drawn()): void => {
    taken.add(noise.name);
    const isTooLate = ago < 0 && target !== undefined && (failed.has(target) || onPods.has(target));
    drawn.push(noiseOf(noise, environment, target, isTooLate ? times.earlier() : ago, rng));
  };
  const changing = new Set(pool.standIns);
  const onPlace = (on: string) =>
    left().filter((noise) => changing.has(noise.name) && targetsOf(noise).includes(on));
  const isWatch = parts.watches.has(task);
  for (const on of isWatch ? [] : twoPlaces(places, environment, rng.fork("changes"))) {
    const some = onPlace(on);
    if (some.length > 0) place(rng.pick(some), on);
  }
  // A change is followed by a fault as seldom as by another change: none is a reason to raise an alarm.
  const elsewhere = Object.keys(environment.workloads).filter((one) => !failed.has(one) && !onPods.has(one));
  for (let i = 0; isWatch && i < changesInWatch; i++) {
    const some = elsewhere.flatMap((on) => onPlace(on).map((noise) => ({ noise, on })));
    if (some.length === 0) break;
    const { noise, on } = rng.pick(some);
    place(noise, on, times.ofFault(0));
  }
  while (drawn.length < count) {
    const dealt = deal(`noises in ${environment.name}`, all);
    // One that is there already is passed over: a bag has the others next.
    if (taken.has(dealt.name)) continue;
    place(...placed(dealt, left(), places, targetsOf, rng.fork(`noise ${drawn.length}`)));
  }
  return drawn;
}

type Places = readonly (readonly (readonly string[])[])[];

const placeFrom = (places: Places, rng: Rng): string => rng.pick(rng.pick(rng.pick(places)));

/**
 * Two different workloads, if possible from those on which faults change something: one at least is not where the fault is, so that
 * what was changed does not say where it is, and an agent that restores everything undoes what others have changed there.
 */
function twoPlaces(places: Places, { workloads }: Environment, rng: Rng): string[] {
  const all = Object.keys(workloads);
  const drawn = (): string => (places.length > 0 ? placeFrom(places, rng) : rng.pick(all));
  const first = drawn();
  for (let i = 0; i < mostTries; i++) {
    const second = drawn();
    if (second !== first) return [first, second];
  }
  const others = all.filter((name) => name !== first);
  return [first, ...(others.length > 0 ? [rng.pick(others)] : [])];
}

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
