import { kinds } from "@microremed/cluster";
import type { Baseline, RequestReading } from "@microremed/contracts";
import type { FaultContext } from "@microremed/faults";
import { entryWorkload, readEntry } from "./requests/read-entry.ts";
import { readRequests } from "./requests/read-requests.ts";

/** Reads how the entry's requests went so far; undefined when the environment's programs report none. */
export async function countEntry(
  { cluster, namespace, environment }: FaultContext,
  { edges = [] }: Baseline,
): Promise<RequestReading | undefined> {
  const workload = entryWorkload(environment);
  if (edges.length === 0 || workload === undefined) return undefined;
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${workload}` });
  return readEntry(environment, edges, await readRequests(cluster, pods));
}
