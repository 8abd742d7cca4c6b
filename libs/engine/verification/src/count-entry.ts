import { type FaultContext, selectorText } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import type { Baseline, RequestReading } from "@microremed/contracts";
import { entryCounters, readEntry } from "./requests/read-entry.ts";
import { readRequests } from "./requests/read-requests.ts";

/** Reads how the entry's requests went so far; undefined when the environment's programs report none. */
export async function countEntry(
  { cluster, namespace, environment }: FaultContext,
  { edges = [] }: Baseline,
): Promise<RequestReading | undefined> {
  const counters = entryCounters(environment, edges);
  const workload = counters && environment.workloads[counters.workload];
  if (!workload) return undefined;
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return readEntry(counters, await readRequests(cluster, pods, () => counters.workload));
}
