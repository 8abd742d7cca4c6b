import type { KubeObject } from "@microremed/sim-objects";
import { canonicalTemplate } from "./pod-template.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";
const historyAnnotation = "deployment.kubernetes.io/revision-history";
const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  "deprecated.deployment.rollback.to",
]);

export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

export function maxRevision(sets: readonly KubeObject[]): number {
  return Math.max(0, ...sets.map(revisionOf));
}

function byAge(a: KubeObject, b: KubeObject): number {
  return (
    Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  );
}

/** The ReplicaSet that holds the deployment's present template, and the others, oldest first. */
export function splitSets(
  deployment: KubeObject,
  sets: readonly KubeObject[],
): { readonly current: KubeObject | undefined; readonly old: readonly KubeObject[] } {
  const wanted = canonicalTemplate(deployment.spec.template);
  const sorted = [...sets].sort(byAge);
  const current = sorted.find((set) => canonicalTemplate(set.spec.template) === wanted);
  return { current, old: sorted.filter((set) => set !== current) };
}

/** Annotations of the deployment's current ReplicaSet at `revision`, given those that it has. */
export function setAnnotations(
  deployment: KubeObject,
  has: Readonly<Record<string, string>>,
  revision: number,
): Readonly<Record<string, string>> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key));
  const before = has[revisionAnnotation];
  const replaced = before !== undefined && Number(before) < revision;
  const history = [...(has[historyAnnotation]?.split(",") ?? []), ...(replaced ? [before] : [])].join(",");
  return {
    ...has,
    ...Object.fromEntries(copied),
    [revisionAnnotation]: before !== undefined && !replaced ? before : String(revision),
    ...(history && { [historyAnnotation]: history }),
  };
}
