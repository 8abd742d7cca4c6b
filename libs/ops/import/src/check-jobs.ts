import type { Environment } from "@microremed/catalogue";
import { type Cluster, hasCondition, kinds, type Pod } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { reasonOf, statusesOf } from "./pod-state.ts";

/** A Job of the system that has not ended well. */
export interface CheckedJob {
  readonly name: string;
  /** Why not: how its newest pod's container ended, or what it waits for. */
  readonly why: string;
  /** The last lines that the pod printed. */
  readonly log: readonly string[];
}

const shownLines = 8;
const logBytes = 4000;

/** The Jobs among the manifests that are not complete, with what their newest pods say. One that removes itself has ended well. */
export async function checkJobs(
  { manifests, namespace }: Environment,
  cluster: Cluster,
): Promise<readonly CheckedJob[]> {
  const declared = new Set(
    manifests.flatMap(({ kind, metadata }) => (kind === kinds.job.kind ? [metadata.name] : [])),
  );
  if (declared.size === 0) return [];
  const jobs = await cluster.list(kinds.job, { namespace });
  const open = jobs.filter((job) => declared.has(job.metadata.name) && !hasCondition(job, "Complete"));
  return await Promise.all(open.map((job) => checkJob(cluster, namespace, job.metadata.name)));
}

async function checkJob(cluster: Cluster, namespace: string, name: string): Promise<CheckedJob> {
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `job-name=${name}` });
  const newest = pods.toSorted((a, b) => bornAt(b) - bornAt(a));
  const [pod] = newest;
  if (!pod) return { name, why: "it has no pod", log: [] };
  const why = stateOf(pod) || (await reasonOf(cluster, namespace, pod));
  // One that has just been made has printed nothing yet: the one before it says more.
  for (const one of newest.slice(0, 2)) {
    const log = await lastLines(cluster, namespace, one);
    if (log.length > 0) return { name, why: stateOf(one) || why, log };
  }
  return { name, why, log: [] };
}

const bornAt = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? "") || 0;

/** The container that has not ended well, init containers first. */
const openContainer = (pod: Pod) =>
  statusesOf(pod).find(({ state }) => state?.terminated === undefined || state.terminated.exitCode !== 0);

function stateOf(pod: Pod): string {
  const { name, state, restartCount = 0 } = openContainer(pod) ?? {};
  const restarts = restartCount > 0 ? `, restarted ${restartCount} times` : "";
  if (state?.terminated) return `${name} ended with code ${state.terminated.exitCode ?? "?"}${restarts}`;
  if (state?.running) return `${name} still runs${restarts}`;
  return "";
}

/** What its open container printed last; after a restart that has printed nothing, what the one before it did. */
async function lastLines(cluster: Cluster, namespace: string, pod: Pod): Promise<readonly string[]> {
  const open = openContainer(pod);
  if (!open) return [];
  const of = { namespace, pod: pod.metadata.name, container: open.name };
  const most = { tailLines: shownLines, limitBytes: logBytes };
  const read = async (previous: boolean): Promise<readonly string[]> => {
    const text = await cluster.logs({ ...of, ...most, previous }).catch(nothingYet);
    return text.split("\n").filter((line) => line.trim() !== "");
  };
  const now = await read(false);
  return now.length === 0 && (open.restartCount ?? 0) > 0 ? await read(true) : now;
}

/** A container that has not started has no log. */
function nothingYet(error: unknown): string {
  if (AppError.from(error).code === "cancelled") throw error;
  return "";
}
