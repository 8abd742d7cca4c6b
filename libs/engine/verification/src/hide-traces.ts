import { type Cluster, kinds } from "@microremed/cluster";

/**
 * Takes away what Chaos Mesh has reported in the arena of its own work there: the events name the kind of a concealed
 * fault, and an agent may read events.
 */
export async function hideTraces(
  cluster: Pick<Cluster, "list" | "delete">,
  namespace: string,
): Promise<void> {
  for (const { metadata, involvedObject } of await cluster.list(kinds.event, { namespace })) {
    if (!involvedObject?.apiVersion?.startsWith("chaos-mesh.org/")) continue;
    await cluster.delete(kinds.event, namespace, metadata.name);
  }
}
