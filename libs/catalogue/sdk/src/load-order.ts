import {
  arenaLabel,
  type Cluster,
  harnessNamespace,
  type KubeObject,
  kinds,
  labelsOf,
} from "@microremed/cluster";
import type { LoadOrder } from "@microremed/contracts";
import { followedAnnotation, orderedLabel } from "./environment/load-curve.ts";

/** Where an order is: one of a name in each arena. The load is the product of an arena's orders. */
interface Place {
  readonly cluster: Cluster;
  readonly namespace: string;
}

const nameOf = (name: string, namespace: string): string => `${name}-${namespace}`;

/**
 * Gives the generators of an arena's load what to follow, in a ConfigMap in the harness's namespace, which no agent can
 * read. It counts from when `isLoadFollowed` says so.
 */
export async function orderLoad(
  { cluster, namespace }: Place,
  name: string,
  order: LoadOrder,
): Promise<void> {
  await cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: nameOf(name, namespace),
      namespace: harnessNamespace,
      labels: { ...labelsOf(namespace), [orderedLabel]: "true" },
    },
    data: { load: JSON.stringify(order) },
  });
}

/** Whether the arena's generators have taken the order as it is now. */
export async function isLoadFollowed({ cluster, namespace }: Place, name: string): Promise<boolean> {
  const found = await cluster.get(kinds.configMap, harnessNamespace, nameOf(name, namespace));
  const data = found?.["data"] as { readonly load?: string } | undefined;
  return data?.load !== undefined && found?.metadata.annotations?.[followedAnnotation] === data.load;
}

/** The orders of an arena. */
export async function listLoadOrders({ cluster, namespace }: Place): Promise<readonly KubeObject[]> {
  const labelSelector = `${arenaLabel}=${namespace},${orderedLabel}=true`;
  return cluster.list(kinds.configMap, { namespace: harnessNamespace, labelSelector });
}

/** Takes an order away; one that is not there changes nothing. */
export async function dropLoad({ cluster, namespace }: Place, name: string): Promise<void> {
  await cluster.delete(kinds.configMap, harnessNamespace, nameOf(name, namespace));
}
