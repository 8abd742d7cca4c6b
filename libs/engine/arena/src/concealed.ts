import { arenaLabel, harnessNamespace, type Kind, type KubeObject, kinds } from "@microremed/cluster";
import type { ArenaContext } from "./arena.ts";

/** What the harness itself has put outside of the arena to disturb it: the causes of concealed faults. */
export async function readConcealed({
  cluster,
  namespace,
  catalogue,
}: Pick<ArenaContext, "cluster" | "namespace" | "catalogue">): Promise<KubeObject[]> {
  const where = { namespace: harnessNamespace, labelSelector: `${arenaLabel}=${namespace}` };
  const schedule: Kind = kinds.chaosSchedule;
  const causes = catalogue.faults.all().flatMap(({ cause }) => (cause ? [[cause.kind, cause] as const] : []));
  const all = new Map<string, Kind>([[schedule.kind, schedule], ...causes]);
  const lists = await Promise.all(all.values().map((kind) => cluster.list(kind, where)));
  return lists.flat();
}
