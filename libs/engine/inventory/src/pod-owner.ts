import type { Environment } from "@microremed/catalogue";
import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import { ownersAmong } from "./owners.ts";

/** Follows the owners of a pod to a Deployment or StatefulSet that the environment declares. */
export function workloadOver(
  { workloads }: Environment,
  pod: Pod,
  ownerOf: ReturnType<typeof ownersAmong>,
): Workload | undefined {
  const first = ownerOf(pod);
  const top = first?.kind === "ReplicaSet" ? ownerOf(first) : first;
  const isDeclared = top !== undefined && workloads[top.metadata.name]?.kind === top.kind;
  return isDeclared ? (top as Workload) : undefined;
}

/** Names of declared workloads by their pods, as owners say; undefined: a pod of none. */
export function workloadsOver(
  environment: Environment,
  objects: readonly KubeObject[],
): (pod: Pod) => string | undefined {
  const ownerOf = ownersAmong(objects);
  return (pod) => workloadOver(environment, pod, ownerOf)?.metadata.name;
}
