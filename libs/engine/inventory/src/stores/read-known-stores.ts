import type { Environment } from "@microremed/catalogue";
import { type Cluster, type Kind, kinds } from "@microremed/cluster";
import { hasStores, readStores, storeServers } from "./read-stores.ts";
import { type KnownStores, knownStores } from "./store-changes.ts";

/** What the servers of an environment's datastores have in force now: read before a fault, for the mark. */
export async function readKnownStores(
  cluster: Cluster,
  namespace: string,
  environment: Environment,
): Promise<KnownStores> {
  if (!hasStores(environment)) return { states: {}, calls: {} };
  const some: readonly Kind[] = [kinds.pod, kinds.replicaSet, kinds.deployment, kinds.statefulSet];
  const objects = (await Promise.all(some.map((kind) => cluster.list(kind, { namespace })))).flat();
  return knownStores(environment, objects, await readStores(cluster, storeServers(environment, objects)));
}
