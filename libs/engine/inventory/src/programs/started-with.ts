import type { KubeObject, Pod } from "@microremed/cluster";
import { digestOfValue } from "../digest.ts";
import { identityOf } from "../inventory.ts";
import { normalise } from "../normalise.ts";
import { podTemplateOf, templateOfPod } from "../starting/pod-template.ts";
import { dataOf, readBySpec } from "../starting/sources.ts";
import { variablesOf } from "../starting/variables.ts";
import type { Programs } from "./foreign-programs.ts";
import { type ProgramFinding, readings, type WorkloadOf } from "./program-changes.ts";
import type { ProgramsByContainer } from "./read-programs.ts";

/** `<workload>/<container>` -> names of variables that its first program had as they are declared. */
export type KnownVariables = Readonly<Record<string, string[]>>;

const mostNamed = 5;

/**
 * What each declared container is to start with: `<workload>/<container>` -> its variables. `without`: as if this ConfigMap or
 * Secret were not there.
 */
function declaredVariables(
  record: readonly KubeObject[],
  without?: string,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const declared = new Map(record.map((object) => [identityOf(object), object]));
  if (without !== undefined) declared.delete(without);
  return new Map(
    record.flatMap((object) =>
      (podTemplateOf(normalise(object))?.containers ?? []).map((container) => [
        `${object.metadata.name}/${container.name}`,
        variablesOf(container, (kind, name) => dataOf(declared.get(`${kind}/${name}`))),
      ]),
    ),
  );
}

/**
 * What to note before the remedies: the variables that every pod of a container had as declared. Of others, such as those
 * that name the pod or that a program has written over, nothing is known.
 */
export function knownVariables(
  record: readonly KubeObject[],
  pods: readonly Pod[],
  programs: ProgramsByContainer,
  workloadOf: WorkloadOf,
): KnownVariables {
  const declared = declaredVariables(record);
  const byKey = Map.groupBy(readings(pods, programs, workloadOf), ({ key }) => key);
  return Object.fromEntries(
    [...byKey].flatMap(([key, some]): [string, string[]][] => {
      const names = [...(declared.get(key) ?? [])].flatMap(([name, value]) =>
        some.every(({ reading }) => reading?.variables.get(name) === value) ? [name] : [],
      );
      return names.length > 0 ? [[key, names]] : [];
    }),
  );
}

/**
 * Pods that started with other values than are declared, though every object is as declared now: a ConfigMap or a Secret
 * was changed, read and changed back.
 */
export function startedOtherwise(
  record: readonly KubeObject[],
  pods: readonly Pod[],
  programs: ProgramsByContainer,
  workloadOf: WorkloadOf,
  known: KnownVariables,
): ProgramFinding[] {
  const declared = declaredVariables(record);
  return readings(pods, programs, workloadOf).flatMap(({ pod, container, workload, key, reading }) => {
    if (!reading) return [];
    const others = (known[key] ?? []).filter(
      (name) => reading.variables.get(name) !== declared.get(key)?.get(name),
    );
    if (others.length === 0) return [];
    const detail = `container ${container} has started with other values of ${others.slice(0, mostNamed).join(", ")} than are declared`;
    return [{ pod, workload, class: "breaks", detail, isSilent: false }];
  });
}

/** `<workload>/<container>` -> digest of the names of all variables of its first program, where all of its pods agree. */
export type VariableNames = Readonly<Record<string, string>>;

/** What to note before the remedies, to know later that a program has no further variable. */
export function variableNames(
  pods: readonly Pod[],
  programs: ProgramsByContainer,
  workloadOf: WorkloadOf,
): VariableNames {
  const byKey = Map.groupBy(readings(pods, programs, workloadOf), ({ key }) => key);
  return Object.fromEntries(
    [...byKey].flatMap(([key, some]): [string, string][] => {
      const [digest, ...others] = new Set(some.map(({ reading }) => namesDigest(reading)));
      return digest !== undefined && others.length === 0 ? [[key, digest]] : [];
    }),
  );
}

/** Undefined: none can be read. */
function namesDigest(reading: Programs | null): string | undefined {
  const names = [...(reading?.variables.keys() ?? [])].sort();
  return names.length > 0 ? digestOfValue(names) : undefined;
}

/** What is known of the variables of the programs in an arena. */
export interface KnownStarts {
  readonly record: readonly KubeObject[];
  readonly programs: ProgramsByContainer | undefined;
  /** Before the remedies. */
  readonly names: VariableNames;
}

/**
 * Whether what a pod of a workload has of a ConfigMap or Secret (`Secret/name`) is known to be as declared, whenever that was
 * written: the pod has it in variables alone, its programs said that they have the declared values, and they have no variables
 * of other names than before.
 */
export function readAsDeclared({
  record,
  programs,
  names,
}: KnownStarts): (pod: Pod, workload: string, source: string) => boolean {
  return (pod, workload, source) => {
    const template = templateOfPod(pod.spec);
    if (!template || readBySpec({ ...template, containers: [] }).includes(source)) return false;
    const [all, others] = [declaredVariables(record), declaredVariables(record, source)];
    const reading = template.containers.filter((one) =>
      readBySpec({ ...template, initContainers: [], containers: [one], volumes: [] }).includes(source),
    );
    return reading.every(({ name }) => {
      const key = `${workload}/${name}`;
      const said = programs?.get(`${pod.metadata.name}/${name}`) ?? null;
      const digest = namesDigest(said);
      if (digest === undefined || names[key] !== digest) return false;
      const ofSource = [...(all.get(key) ?? [])].filter(
        ([variable, value]) => others.get(key)?.get(variable) !== value,
      );
      return ofSource.every(([variable, value]) => said?.variables.get(variable) === value);
    });
  };
}
