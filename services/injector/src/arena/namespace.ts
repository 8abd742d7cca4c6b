import { terminal } from "@microremed/core";
import { type Cluster, harnessNamespace, kinds, managedLabels } from "@microremed/kube";
import { identityOf, readInventory } from "./inventory.ts";

const [[label, owner] = ["", ""]] = Object.entries(managedLabels);
const reserved = new Set([harnessNamespace, "chaos-mesh"]);

/**
 * Makes sure that the namespace exists and is the harness's to fill and to clear. One that exists without its label is
 * taken over only when it is empty. Throws `cluster-refused` (terminal) that says what to do.
 */
export async function claimNamespace(cluster: Cluster, name: string): Promise<void> {
  if (reserved.has(name) || name.startsWith("kube-")) {
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} belongs to the cluster or to the harness; choose another one for the arena`,
    );
  }
  const namespace = await cluster.get(kinds.namespace, undefined, name);
  if (namespace?.metadata.labels?.[label] === owner) return;
  const foreign = namespace ? await readInventory(cluster, name) : [];
  if (foreign.length > 0) {
    const some = foreign.slice(0, 5).map(identityOf).join(", ");
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} holds ${foreign.length} objects that are not the harness's (${some}, ...); choose another namespace, empty this one, or label it ${label}=${owner} if everything in it may be deleted`,
    );
  }
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: managedLabels } });
}
