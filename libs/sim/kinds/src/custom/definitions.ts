import type { KubeObject, Loose, LooseRecord, NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";

/** Where CustomResourceDefinitions are stored. */
export const definitionsRef: ResourceRef = {
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
};

/** Holds a definition that is being deleted until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Whether a resource is that of CustomResourceDefinitions. */
export function isDefinition(ref: ResourceRef): boolean {
  return ref.resource === definitionsRef.resource && ref.group === definitionsRef.group;
}

/** Where the objects of a definition lie. */
export function resourceOf(definition: KubeObject): ResourceRef {
  return { group: definition.spec.group, resource: definition.spec.names.plural };
}

/** The resources that the cluster's CustomResourceDefinitions define. */
export function customResources(store: Store): readonly ResourceRef[] {
  return store.list(definitionsRef).map(resourceOf);
}

export function isEstablished(definition: KubeObject): boolean {
  const conditions: readonly Loose[] = definition.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}

/** Fills in the names that follow from the kind. Changes `object`. */
export function defaultDefinition(object: LooseRecord): void {
  const { spec } = object;
  spec.conversion ??= { strategy: "None" };
  const { names } = spec;
  if (typeof names?.kind !== "string") return;
  names.singular ??= names.kind.toLowerCase();
  names.listKind ??= `${names.kind}List`;
}

function conflicting(
  store: Store,
  object: NewObject,
): { readonly reason: string; readonly name: string } | undefined {
  const { names, group } = object.spec;
  const others = store
    .list(definitionsRef)
    .filter(({ metadata, spec }) => spec.group === group && metadata.name !== object.metadata.name)
    .map(({ spec }) => spec.names);
  const taken = new Set(
    others.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]));
  const short = (names.shortNames ?? []).find((name: string) => taken.has(name));
  if (taken.has(names.singular)) return { reason: "SingularConflict", name: names.singular };
  if (short) return { reason: "ShortNamesConflict", name: short };
  if (kinds.has(names.kind)) return { reason: "KindConflict", name: names.kind };
  return kinds.has(names.listKind) ? { reason: "ListKindConflict", name: names.listKind } : undefined;
}

/** What the definition's controllers make of it at once: accepted names, Established, stored versions. */
export function settledStatus(
  store: Store,
  object: NewObject,
  old: KubeObject | undefined,
  now: number,
): object {
  const conflict = conflicting(store, object);
  const previous: readonly Loose[] = old?.status?.conditions ?? [];
  const condition = (type: string, status: boolean, reason: string, message: string): object => {
    const before = previous.find((candidate) => candidate.type === type);
    const value = status ? "True" : "False";
    const lastTransitionTime = before?.status === value ? before.lastTransitionTime : rfc3339(now);
    return { type, status: value, lastTransitionTime, reason, message };
  };
  const others = previous.filter(({ type }) => type !== "NamesAccepted" && type !== "Established");
  const storage: string | undefined = object.spec.versions.find((version: Loose) => version.storage)?.name;
  const stored = new Set<string>(old?.status?.storedVersions ?? []);
  if (storage) stored.add(storage);
  return {
    conditions: [
      ...others,
      conflict
        ? condition(
            "NamesAccepted",
            false,
            conflict.reason,
            `${JSON.stringify(conflict.name)} is already in use`,
          )
        : condition("NamesAccepted", true, "NoConflicts", "no conflicts found"),
      conflict
        ? condition("Established", false, "NotAccepted", "not all names are accepted")
        : condition("Established", true, "InitialNamesAccepted", "the initial names have been accepted"),
    ],
    acceptedNames: conflict ? (old?.status?.acceptedNames ?? { plural: "", kind: "" }) : object.spec.names,
    storedVersions: [...stored],
  };
}
