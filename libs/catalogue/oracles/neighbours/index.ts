import {
  type ArenaState,
  defineOracle,
  type Environment,
  isPodReady,
  judged,
  type OracleVerdict,
  type Workload,
  workloadOfPod,
} from "@microremed/catalogue";

/**
 * Every other workload of the environment is whole, with as many Ready replicas as its manifest asks for. Refuses: a
 * remedy that deletes or scales away a caller, a dependency or the load generator, leaves one of them crashing, or with
 * a rollout that cannot end: its old pods serve until they go.
 */
export default defineOracle({
  name: "neighbours",
  description: "every other workload of the environment is whole",
  cost: 80,
  always: true,
  measure: async (round) => {
    const { context, state } = round;
    return judgeNeighbours(context.environment, state.target, await round.arena());
  },
});

/** A rollout under way ends by itself; one that is stuck does not. */
function rolloutProblems(name: string, { metadata, status }: Workload, wanted: number): string[] {
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return [`the controller has not yet seen the newest spec of ${name}`];
  const counts = { updated: status?.updatedReplicas, available: status?.availableReplicas };
  const missing = Object.entries(counts).flatMap(([what, count = 0]) =>
    count < wanted ? [`${count} of ${wanted} replicas of ${name} are ${what}`] : [],
  );
  // While a rollout is under way, old and new pods exist side by side.
  const existing = status?.replicas ?? 0;
  return existing > wanted ? [...missing, `${name} has ${existing} pods instead of ${wanted}`] : missing;
}

export function judgeNeighbours(environment: Environment, target: string, arena: ArenaState): OracleVerdict {
  const pods = Map.groupBy(arena.pods, ({ metadata }) => workloadOfPod(environment, metadata.labels));
  const others = Object.entries(environment.workloads).filter(([name]) => name !== target);
  const problems = others.flatMap(([name, { replicas }]) => {
    const workload = arena.workloads.get(name);
    if (!workload) return [`${name} does not exist any more`];
    const wanted = workload.spec?.replicas ?? 1;
    if (wanted < replicas) return [`${name} is scaled to ${wanted}, it had ${replicas} replicas`];
    const ready = (pods.get(name) ?? []).filter(isPodReady).length;
    if (ready < replicas) return [`${ready} of ${replicas} pods of ${name} are Ready`];
    return rolloutProblems(name, workload, wanted);
  });
  const whole = others.length - problems.length;
  const measurements = [
    {
      name: "other workloads that are whole",
      value: whole,
      unit: "workloads",
      threshold: others.length,
      at: arena.at,
    },
  ];
  return judged("neighbours", problems, `all ${others.length} other workloads are whole`, measurements);
}
