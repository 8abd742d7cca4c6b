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
  const problems = (view: ClusterView): string[] => healthProblems(arena, view);
  try {
    await cluster.waitUntil(
      {
        what: `${environment.name} in ${namespace} to be healthy`,
        timeoutMs,
        signal,
        namespace,
        kinds: [kinds.deployment, kinds.statefulSet, kinds.pod],
      },
      (view) => (problems(view).length === 0 ? true : undefined),
      (view) => problems(view).slice(0, 5).join("; "),
    );
  } catch (error) {
    if (!isLate(error)) throw error;
    throw terminal("environment-unhealthy", error.message);
  }
}

function healthProblems({ environment }: ArenaContext, view: ClusterView): string[] {
  const workloads = new Map(
    [...view.list(kinds.deployment), ...view.list(kinds.statefulSet)].map((one) => [one.metadata.name, one]),
  );
  const pods = Map.groupBy(view.list(kinds.pod), ({ metadata }) =>
    workloadOfPod(environment, metadata.labels),
  );
  const alien = (pods.get(undefined) ?? []).map(
    ({ metadata }) => `pod ${metadata.name} does not belong to it`,
  );
  const problems = Object.entries(environment.workloads).flatMap(([name, { replicas }]) => {
    const problem = workloadProblem(workloads.get(name), pods.get(name) ?? [], replicas);
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  return [...problems, ...alien];
}

function workloadProblem(
  workload: Workload | undefined,
  pods: readonly Pod[],
  replicas: number,
): string | undefined {
  if (!workload) return "does not exist";
  const { status, metadata } = workload;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return "is not yet seen by its controller";
  if ((status?.updatedReplicas ?? 0) !== replicas)
    return `has ${status?.updatedReplicas ?? 0} of ${replicas} updated`;
  const ready = pods.filter(isPodReady).length;
  if (ready !== replicas || pods.length !== replicas) {
    return `has ${ready} of ${replicas} pods Ready and ${pods.length} in all`;
  }
  if ((status?.readyReplicas ?? 0) !== replicas)
    return `counts ${status?.readyReplicas ?? 0} of ${replicas} as Ready`;
  return undefined;
}
