import type { KubeObject, Pod } from "@microremed/cluster";
import { identityOf } from "../inventory.ts";
import { normalise } from "../normalise.ts";
import { podTemplateOf } from "../starting/pod-template.ts";
import { dataOf } from "../starting/sources.ts";
import { variablesOf } from "../starting/variables.ts";
import { type ProgramFinding, readings, type WorkloadOf } from "./program-changes.ts";
import type { ProgramsByContainer } from "./read-programs.ts";

/** `<workload>/<container>` -> names of variables that its first program had as they are declared. */
export type KnownVariables = Readonly<Record<string, string[]>>;

const mostNamed = 5;

/** What each declared container is to start with: `<workload>/<container>` -> its variables. */
function declaredVariables(record: readonly KubeObject[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const declared = new Map(record.map((object) => [identityOf(object), object]));
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
