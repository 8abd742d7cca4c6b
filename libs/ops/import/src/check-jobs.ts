import type { Environment } from "@microremed/catalogue";
import { type Cluster, hasCondition, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { AppError } from "@microremed/core";
import { reasonOf, restartsOf, statusesOf } from "./pod-state.ts";

/** A Job of the system that has not ended well, or a CronJob whose newest run has failed or is about to. */
export interface CheckedJob {
  readonly kind: "Job" | "CronJob";
  readonly name: string;
  /** False: it goes on, also where its pods have failed so far. */
  readonly isOver: boolean;
  /** Why not: how its newest pod's container ended, or what it waits for, and how many pods have failed. */
  readonly why: string;
  /** The last lines that the pod printed. */
  readonly log: readonly string[];
}

const shownLines = 8;
const logBytes = 4000;

/** Starts a run of each CronJob among the manifests that is not suspended, as `kubectl create job --from` does. */
export async function startCronJobs(
  { manifests, namespace }: Environment,
  { get, create }: Pick<Cluster, "get" | "create">,
): Promise<void> {
  for (const name of namesOf(manifests, kinds.cronJob.kind)) {
    const owner = await get(kinds.cronJob, namespace, name);
    const spec = owner?.["spec"] as CronJobSpec | undefined;
    if (!owner || !spec || spec.suspend) continue;
    const { uid = "" } = owner.metadata;
    const { metadata: { labels = {}, annotations = {} } = {}, spec: jobSpec } = spec.jobTemplate;
    await create({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        ...{ name: `${name.slice(0, mostOfName)}-${uid.slice(0, 8)}`, namespace, labels },
        annotations: { ...annotations, "cronjob.kubernetes.io/instantiate": "manual" },
        ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name, uid, controller: true }],
      } as never,
      spec: jobSpec,
    });
  }
}

interface CronJobSpec {
  readonly suspend?: boolean;
  readonly jobTemplate: {
    readonly metadata?: Pick<KubeObject["metadata"], "labels" | "annotations">;
    readonly spec: object;
  };
}

/** A Job's name is a label of its pods, of 63 characters. */
const mostOfName = 52;

const namesOf = (manifests: Environment["manifests"], wanted: string): ReadonlySet<string> =>
  new Set(manifests.flatMap(({ kind, metadata }) => (kind === wanted ? [metadata.name] : [])));

/**
 * The Jobs among the manifests that are not complete, and the CronJobs whose newest run that is over has failed, or whose pods of a run that goes
 * on have, with what their newest pods say. A Job that removes itself has ended well.
 */
export async function checkJobs(
  { manifests, namespace }: Environment,
  cluster: Cluster,
): Promise<readonly CheckedJob[]> {
  const [once, again] = [kinds.job, kinds.cronJob].map(({ kind }) => namesOf(manifests, kind));
  if (!once || !again || once.size + again.size === 0) return [];
  const jobs = await cluster.list(kinds.job, { namespace });
  const open = jobs.filter((job) => once.has(job.metadata.name) && !hasCondition(job, "Complete"));
  const runs = Map.groupBy(jobs, (job) => cronJobOf(job) ?? "");
  const failed = [...again].flatMap((name) => {
    const newest = (runs.get(name) ?? []).toSorted((a, b) => bornAt(b) - bornAt(a));
    const over = newest.find(isOver);
    const run = over && hasCondition(over, "Failed") ? over : newest.find((one) => !isOver(one));
    return run ? [{ name, run }] : [];
  });
  const all = [
    ...open.map((run) => ({ kind: "Job" as const, name: run.metadata.name, run })),
    ...failed.map((one) => ({ kind: "CronJob" as const, ...one })),
  ];
  const checked = await Promise.all(
    all.map(async ({ kind, name, run }): Promise<CheckedJob[]> => {
      const { works, ...pods } = await checkPods(cluster, namespace, run);
      return kind === "CronJob" && works ? [] : [{ kind, name, isOver: isOver(run), ...pods }];
    }),
  );
  return checked.flat();
}

const isOver = (job: KubeObject): boolean => hasCondition(job, "Complete") || hasCondition(job, "Failed");

const cronJobOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === kinds.cronJob.kind)?.name;

/** `works`: it goes on, and none of its pods has failed or waits. */
async function checkPods(
  cluster: Cluster,
  namespace: string,
  job: KubeObject,
): Promise<Pick<CheckedJob, "why" | "log"> & { readonly works: boolean }> {
  const labelSelector = `job-name=${job.metadata.name}`;
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  const newest = pods.toSorted((a, b) => bornAt(b) - bornAt(a));
  const [pod] = newest;
  const { failed = 0 } = (job["status"] ?? {}) as { readonly failed?: number };
  const works = !isOver(job) && failed === 0 && pod !== undefined && isAtWork(pod);
  const count = failed > 1 ? `, ${failed} pods failed` : "";
  if (!pod) return { works, why: `it has no pod${count}`, log: [] };
  const why = stateOf(pod) || (await reasonOf(cluster, namespace, pod));
  // One that has just been made has printed nothing yet: the one before it says more.
  for (const one of newest.slice(0, 2)) {
    const log = await lastLines(cluster, namespace, one);
    if (log.length > 0) return { works, why: `${stateOf(one) || why}${count}`, log };
  }
  return { works, why: `${why}${count}`, log: [] };
}

const isAtWork = (pod: Pod): boolean =>
  pod.status?.phase === "Succeeded" ||
  (restartsOf(pod) === 0 && openContainer(pod)?.state?.running !== undefined);

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
