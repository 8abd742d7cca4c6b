import { kinds, type Pod } from "@microremed/cluster";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext } from "./fault.ts";
import { targetOf } from "./target.ts";

/** What has become of a target whose new pods the API server refuses. */
export interface RefusedPods {
  /** Names of the pods that are left. */
  readonly pods: readonly string[];
  readonly wanted: number;
  /** Pods are missing, and its controller has tried to make them. */
  readonly isRefused: boolean;
}

async function podsOf({ cluster, namespace, environment, target }: FaultContext): Promise<readonly Pod[]> {
  const place = targetOf(environment, target);
  if (!place) return [];
  const labelSelector = selectorText(place.workload.selector);
  return cluster.list(kinds.pod, { namespace, labelSelector });
}

/** Whether pods of the target are missing because new ones are refused. */
export async function refusedPods(context: FaultContext): Promise<RefusedPods> {
  const { cluster, namespace, environment, target } = context;
  const place = targetOf(environment, target);
  const owner = place?.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const [all, workload] = await Promise.all([
    podsOf(context),
    cluster.get(owner, namespace, place?.name ?? target),
  ]);
  const pods = all.filter(({ metadata }) => !metadata.deletionTimestamp);
  const wanted = workload?.spec?.replicas ?? 1;
  // Its controller has seen that pods are gone.
  const hasTried = (workload?.status?.replicas ?? 0) < wanted;
  return {
    pods: pods.map(({ metadata }) => metadata.name),
    wanted,
    isRefused: hasTried && pods.length < wanted,
  };
}

/** Deletes the target's pods, as a deployment or the drain of a node does: what refuses new ones ends none. */
export async function endPods(context: FaultContext): Promise<void> {
  const { cluster, namespace } = context;
  for (const { metadata } of await podsOf(context)) await cluster.delete(kinds.pod, namespace, metadata.name);
}
