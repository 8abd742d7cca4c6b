import {
  customKinds,
  type Environment,
  isPodReady,
  readReconciled,
  type WorkloadSpec,
  workloadOfPod,
} from "@microremed/catalogue";
import {
  asReplicas,
  type ClusterView,
  hasCondition,
  type Kind,
  kinds,
  type Pod,
  type Workload,
} from "@microremed/cluster";
import { isLate, terminal } from "@microremed/core";
import type { ArenaContext } from "./arena.ts";

/**
 * Watches until every workload of the environment is rolled out and all of its pods are Ready, with none to spare, and its
 * Jobs are complete, and its custom resources are as their operators are to make them.
 * Throws `environment-unhealthy` (terminal) that says what was still missing.
 */
export async function awaitHealthy(arena: ArenaContext, timeoutMs: number): Promise<void> {
  const { cluster, namespace, environment, signal } = arena;
  try {
    await cluster.waitUntil(
      {
        what: `${environment.name} in ${namespace} to be healthy`,
        timeoutMs,
        signal,
        namespace,
        kinds: watchedKinds(environment),
      },
      // Asked at each change: nearly always the first problem is found at once.
      (view) => (healthProblems(arena, view).next().done ? true : undefined),
      (view) => healthProblems(arena, view).take(5).toArray().join("; "),
    );
  } catch (error) {
    if (!isLate(error)) throw error;
    throw terminal("environment-unhealthy", error.message);
  }
}

/** Those that nearly every system has, and what this one has besides. */
function watchedKinds({ manifests }: Environment): Kind[] {
  const further = [kinds.daemonSet, kinds.job].filter(({ kind }) =>
    manifests.some((one) => one.kind === kind),
  );
  return [kinds.deployment, kinds.statefulSet, kinds.pod, ...further, ...customKinds({ manifests })];
}

/** What is not as it should be yet; what is cheap to see comes first. */
function* healthProblems({ environment }: ArenaContext, view: ClusterView): Generator<string, void, void> {
  const all = [
    ...view.list(kinds.deployment),
    ...view.list(kinds.statefulSet),
    ...view.list(kinds.daemonSet).map(asReplicas),
  ];
  const workloads = new Map(all.map((one) => [one.metadata.name, one]));
  const lagging = new Set<string>();
  for (const [name, spec] of Object.entries(environment.workloads)) {
    const problem = rolloutProblem(workloads.get(name), spec);
    if (problem === undefined) continue;
    lagging.add(name);
    yield `${name} ${problem}`;
  }
  const pods = Map.groupBy(view.list(kinds.pod), ({ metadata }) =>
    workloadOfPod(environment, metadata.labels),
  );
  for (const [name, spec] of Object.entries(environment.workloads)) {
    const problem = podsProblem(pods.get(name) ?? [], wantedOf(workloads.get(name), spec));
    if (problem !== undefined && !lagging.has(name)) yield `${name} ${problem}`;
  }
  yield* jobProblems(environment, view);
  yield* reconciledProblems(environment, view);
  yield* barePodProblems(environment, pods.get(undefined) ?? []);
  for (const pod of pods.get(undefined) ?? [])
    if (!isMadeByOthers(environment, pod) && !isBarePod(environment, pod))
      yield `pod ${pod.metadata.name} does not belong to it`;
}

/** As many as are declared, but for those whose number the cluster decides. */
const wantedOf = (workload: Workload | undefined, { kind, isAutoscaled, replicas }: WorkloadSpec): number =>
  kind === "DaemonSet" || isAutoscaled ? (workload?.spec?.replicas ?? replicas) : replicas;

function rolloutProblem(workload: Workload | undefined, spec: WorkloadSpec): string | undefined {
  if (!workload) return "does not exist";
  const { status, metadata } = workload;
  const replicas = wantedOf(workload, spec);
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return "is not yet seen by its controller";
  if ((status?.updatedReplicas ?? 0) !== replicas)
    return `has ${status?.updatedReplicas ?? 0} of ${replicas} updated`;
  if ((status?.readyReplicas ?? 0) !== replicas)
    return `counts ${status?.readyReplicas ?? 0} of ${replicas} as Ready`;
  return undefined;
}

function podsProblem(pods: readonly Pod[], replicas: number): string | undefined {
  const ready = pods.filter(isPodReady).length;
  return ready === replicas && pods.length === replicas
    ? undefined
    : `has ${ready} of ${replicas} pods Ready and ${pods.length} in all`;
}

/** One that removes itself once it is complete may have gone. */
function* jobProblems({ manifests }: Environment, view: ClusterView): Generator<string, void, void> {
  const jobs = new Map(view.list(kinds.job).map((job) => [job.metadata.name, job]));
  for (const { kind, metadata } of manifests) {
    const job = kind === kinds.job.kind ? jobs.get(metadata.name) : undefined;
    if (job && hasCondition(job, "Failed")) yield `Job ${metadata.name} has failed`;
    else if (job && !hasCondition(job, "Complete")) yield `Job ${metadata.name} is not complete`;
  }
}

/** One whose operator says nothing of it is taken to be well. */
function* reconciledProblems(environment: Environment, view: ClusterView): Generator<string, void, void> {
  for (const { kind, ...of } of customKinds(environment))
    for (const resource of view.list({ kind, ...of }))
      for (const { name, why } of readReconciled({ ...resource, kind }))
        if (why !== undefined) yield `${name} ${why}`;
}

/** Pods that are declared as such run or have ended well. */
function* barePodProblems({ manifests }: Environment, pods: readonly Pod[]): Generator<string, void, void> {
  for (const { kind, metadata } of manifests) {
    if (kind !== kinds.pod.kind) continue;
    const pod = pods.find((one) => one.metadata.name === metadata.name);
    if (!pod) yield `pod ${metadata.name} does not exist`;
    else if (!isPodReady(pod) && pod.status?.phase !== "Succeeded") yield `pod ${metadata.name} is not Ready`;
  }
}

/** Whether a pod is declared by itself: nothing replaces it. */
export const isBarePod = ({ manifests }: Environment, { metadata }: Pod): boolean =>
  manifests.some((one) => one.kind === kinds.pod.kind && one.metadata.name === metadata.name);

/**
 * Whether a pod that is of no workload belongs to the system all the same: to one of its Jobs, or to something of a kind whose
 * controller is the system's own.
 */
export function isMadeByOthers({ manifests }: Environment, { metadata }: Pod): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)?.kind;
  return owner !== undefined && (isOfJobs(manifests, owner) || customKinds({ manifests }).length > 0);
}

const isOfJobs = (manifests: Environment["manifests"], owner: string): boolean =>
  owner === kinds.job.kind &&
  manifests.some(({ kind }) => kind === kinds.job.kind || kind === kinds.cronJob.kind);
