import type {
  Environment,
  Fault,
  IncidentFault,
  Noise,
  ProblemNoise,
  ShownObject,
} from "@microremed/catalogue";
import { isSameField, shownBy, targetName } from "@microremed/catalogue";
import type { ProblemParts } from "./problem-issues.ts";
import { noiseObjectsIn, noiseTargetsIn } from "./targets-in.ts";

/** A noise that may be in a fault's place. */
export interface Likeness {
  readonly noise: Noise;
  /** Workloads on which it may be in the fault's place; none: it is on no workload. */
  readonly places: readonly string[];
}

/** The noises that may be in a fault's place. */
export function noisesLike(
  { fault: name, target }: Pick<IncidentFault, "fault" | "target">,
  {
    all: fit,
    parts,
    environment,
    targetsOf,
  }: {
    readonly all: readonly Noise[];
    readonly parts: ProblemParts;
    readonly environment: Environment;
    readonly targetsOf: TargetsOf;
  },
): Likeness[] {
  const fault = parts.faults.get(name);
  const shown = shownBy(fault, environment, target);
  const changed = shown?.field === "" ? undefined : shown;
  const place = targetName({ environment, target });
  const placesOf: TargetsOf = (noise) => {
    const possible = targetsOf(noise);
    return changed && possible.includes(place) ? [place] : possible;
  };
  const all = fit.filter(canBe(placesOf));
  const some = changed ? twinsOf(fault, changed, { all, environment, place, targetsOf }) : all;
  return some.map((noise) => ({ noise, places: placesOf(noise) }));
}

/** Names of the workloads whose new pods could end a fault of an incident. */
export function endedByPodsOf(
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

/** Whether a workload is one that no fault is on, and whose new pods could end none. */
export function untouchedBy(
  incident: readonly IncidentFault[],
  parts: ProblemParts,
  environment: Environment,
): (workload: string) => boolean {
  const failed = new Set(incident.map(({ target }) => targetName({ environment, target })));
  const onPods = endedByPodsOf(incident, parts, environment);
  return (workload) => !failed.has(workload) && !onPods.has(workload);
}

/** Names of the workloads that a noise may be on. */
export type TargetsOf = (noise: Noise) => readonly string[];

/** Names of the workloads that a noise may be on where the incident is: not where it would keep a fault from being seen. */
export function targetsBeside(
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
export function unlikeFaults(
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

/**
 * Whether a noise on a workload changes no field of a declared object that one of those noises changes: only the later one would be there,
 * or the API server refuses it, as a volume of two kinds. It is the same whichever comes first.
 */
export function unlikeNoises(
  noises: readonly Pick<ProblemNoise, "noise" | "target">[],
  parts: Pick<ProblemParts, "noises">,
  environment: Environment,
): (noise: Noise, on: string) => boolean {
  const others = noises.flatMap(({ noise: name, target = "" }) => {
    const noise = parts.noises.get(name);
    const objects = noise && noiseObjectsIn(noise, environment).get(target);
    return noise && objects ? [{ noise, objects }] : [];
  });
  return (noise, on) => {
    const objects = noiseObjectsIn(noise, environment).get(on) ?? [];
    return !others.some(
      (other) => objects.some((one) => other.objects.includes(one)) && sharesField(noise, other.noise),
    );
  };
}

const sharesField = ({ changes = [] }: Noise, other: Noise): boolean =>
  changes.some((field) => other.changes?.some((one) => isSameField(field, one)));

/** Whether a noise has a place among those, or needs none. */
export const canBe =
  (placesOf: (noise: Noise) => readonly string[]) =>
  (noise: Noise): boolean =>
    noise.targets === undefined || placesOf(noise).length > 0;

/**
 * The noises that are most like a fault's change: that look like it, of the same field, at the same place, of the same kind of
 * object, or any.
 */
function twinsOf(
  fault: Fault | undefined,
  changed: ShownObject,
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

/** Whether a noise changes an object of that kind. */
function changesKind(noise: Noise, environment: Environment, kind: string): boolean {
  const [target = ""] = noiseTargetsIn(noise, environment);
  return noise.decoys({ environment, target }).some((one) => one.kind === kind);
}

/** The noises of these names that have a place in an environment. */
export function noisesThatFit(
  names: readonly string[],
  { noises }: ProblemParts,
  environment: Environment,
): Noise[] {
  return names.flatMap((name) => {
    const noise = noises.get(name);
    return !noise || (noise.targets && noiseTargetsIn(noise, environment).length === 0) ? [] : [noise];
  });
}
