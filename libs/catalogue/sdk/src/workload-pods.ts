import { kinds, type Pod } from "@microremed/cluster";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext } from "./fault.ts";
import { targetOf } from "./target.ts";

type Where = Pick<FaultContext, "cluster" | "namespace" | "environment" | "target">;

/**
 * The pods of a workload, those that are about to end included; by default those of the fault's target. None where the
 * environment has no such workload.
 */
export async function podsOf(where: Where, target = where.target): Promise<readonly Pod[]> {
  const { cluster, namespace, environment } = where;
  const place = targetOf(environment, target);
  if (!place) return [];
  const labelSelector = selectorText(place.workload.selector);
  return cluster.list(kinds.pod, { namespace, labelSelector });
}

/** Deletes these pods: their controller makes others, which start with what is there then. */
export async function endPods(where: Where, target = where.target): Promise<void> {
  const { cluster, namespace } = where;
  for (const { metadata } of await podsOf(where, target))
    await cluster.delete(kinds.pod, namespace, metadata.name);
}

/** Names of the pods of the fault's target that wait to be started, without those that are about to end. */
export async function waitingPods(where: Where): Promise<string[]> {
  return (await podsOf(where)).flatMap(({ metadata, status }) =>
    !metadata.deletionTimestamp && status?.phase === "Pending" ? [metadata.name] : [],
  );
}
