import { isPodReady, workloadOfPod } from "@microremed/catalogue";
import { type ClusterView, kinds, type Pod, type Workload } from "@microremed/cluster";
import { isLate, terminal } from "@microremed/core";
import type { ArenaContext } from "./arena.ts";

/**
 * Watches until every workload of the environment is rolled out and all of its pods are Ready, with none to spare.
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
        kinds: [kinds.deployment, kinds.statefulSet, kinds.pod],
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

/** What is not as it should be yet; what is cheap to see comes first. */
function* healthProblems({ environment }: ArenaContext, view: ClusterView): Generator<string, void, void> {
  const workloads = new Map(
    [...view.list(kinds.deployment), ...view.list(kinds.statefulSet)].map((one) => [one.metadata.name, one]),
  );
  const lagging = new Set<string>();
  for (const [name, { replicas }] of Object.entries(environment.workloads)) {
    const problem = rolloutProblem(workloads.get(name), replicas);
    if (problem === undefined) continue;
    lagging.add(name);
    yield `${name} ${problem}`;
  }
  const pods = Map.groupBy(view.list(kinds.pod), ({ metadata }) =>
    workloadOfPod(environment, metadata.labels),
  );
  for (const [name, { replicas }] of Object.entries(environment.workloads)) {
    const problem = podsProblem(pods.get(name) ?? [], replicas);
    if (problem !== undefined && !lagging.has(name)) yield `${name} ${problem}`;
  }
  for (const { metadata } of pods.get(undefined) ?? []) yield `pod ${metadata.name} does not belong to it`;
}

function rolloutProblem(workload: Workload | undefined, replicas: number): string | undefined {
  if (!workload) return "does not exist";
  const { status, metadata } = workload;
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
