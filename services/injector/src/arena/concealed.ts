import { arenaLabel, type Cluster, harnessNamespace, type KubeObject } from "@microremed/cluster";
import { faults } from "@microremed/faults";

const causes = [
  ...new Map(Object.values(faults).flatMap(({ cause }) => (cause ? [[cause.kind, cause]] : []))).values(),
];

/** What the harness itself has put outside of the arena to disturb it: the causes of concealed faults. */
export async function readConcealed(cluster: Cluster, arena: string): Promise<KubeObject[]> {
  const where = { namespace: harnessNamespace, labelSelector: `${arenaLabel}=${arena}` };
  const lists = await Promise.all(causes.map((kind) => cluster.list(kind, where)));
  return lists.flat();
}
