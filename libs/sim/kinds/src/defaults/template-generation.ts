import {
  jsonEqual,
  type KubeObject,
  type NewObject,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";

/** The annotation that counts a DaemonSet's templates; clients cannot write it. */
export const templateGeneration = "deprecated.daemonset.template.generation";

/** A DaemonSet with the number of its template: 1, and one more with every change of it. Other kinds as they are. */
export function withTemplateGeneration<T extends NewObject>(
  ref: ResourceRef,
  object: T,
  old: KubeObject | undefined,
): T {
  if (qualified(ref) !== "daemonsets.apps") return object;
  const before = Number(old?.metadata.annotations?.[templateGeneration] ?? 0);
  const isChanged = !old || !jsonEqual(old.spec?.template, object.spec?.template);
  const annotations = {
    ...object.metadata.annotations,
    [templateGeneration]: String(isChanged ? before + 1 : before),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
