import type { Environment } from "@microremed/catalogue";
import { type Cluster, hasCondition, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { reasonOf, statusesOf } from "./pod-state.ts";

/** A Job of the system that has not ended well, or the newest run of a CronJob that has failed. */
export interface CheckedJob {
  readonly kind: "Job" | "CronJob";
  readonly name: string;
  /** Why not: how its newest pod's container ended, or what it waits for. */
  readonly why: string;
  /** The last lines that the pod printed. */
  readonly log: readonly string[];
}

const shownLines = 8;
const logBytes = 4000;

/**
 * The Jobs among the manifests that are not complete, and the CronJobs whose newest run that is over has failed, with what their newest
 * pods say. A Job that removes itself has ended well.
 */
export async function checkJobs(
  { manifests, namespace }: Environment,
  cluster: Cluster,
): Promise<readonly CheckedJob[]> {
  const declared = (wanted: string): ReadonlySet<string> =>
    new Set(manifests.flatMap(({ kind, metadata }) => (kind === wanted ? [metadata.name] : [])));
  const [once, again] = [declared(kinds.job.kind), declared(kinds.cronJob.kind)];
  if (once.size + again.size === 0) return [];
  const jobs = await cluster.list(kinds.job, { namespace });
  const open = jobs.filter((job) => once.has(job.metadata.name) && !hasCondition(job, "Complete"));
  const ended = jobs.filter((job) => hasCondition(job, "Complete") || hasCondition(job, "Failed"));
  const runs = Map.groupBy(ended, (job) => cronJobOf(job) ?? "");
  const failed = [...again].flatMap((name) => {
    const [newest] = (runs.get(name) ?? []).toSorted((a, b) => bornAt(b) - bornAt(a));
    return newest && hasCondition(newest, "Failed") ? [{ name, run: newest.metadata.name }] : [];
  });
  return await Promise.all([
    ...open.map(async ({ metadata: { name } }): Promise<CheckedJob> => {
      return { kind: "Job", name, ...(await checkJob(cluster, namespace, name)) };
    }),
    ...failed.map(async ({ name, run }): Promise<CheckedJob> => {
      return { kind: "CronJob", name, ...(await checkJob(cluster, namespace, run)) };
    }),
  ]);
}

const cronJobOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === kinds.cronJob.kind)?.name;

async function checkJob(
  cluster: Cluster,
  namespace: string,
  name: string,
): Promise<Pick<CheckedJob, "why" | "log">> {
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `job-name=${name}` });
  const newest = pods.toSorted((a, b) => bornAt(b) - bornAt(a));
  const [pod] = newest;
  if (!pod) return { why: "it has no pod", log: [] };
  const why = stateOf(pod) || (await reasonOf(cluster, namespace, pod));
  // One that has just been made has printed nothing yet: the one before it says more.
  for (const one of newest.slice(0, 2)) {
    const log = await lastLines(cluster, namespace, one);
    if (log.length > 0) return { why: stateOf(one) || why, log };
  }
  return { why, log: [] };
}

const bornAt = ({ metadata }: Pick<Pod, "metadata">): number =>
  Date.parse(metadata.creationTimestamp ?? "") || 0;

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
