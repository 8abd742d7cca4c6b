import {
  type ArenaState,
  defineOracle,
  type Environment,
  isPodReady,
  judged,
  type OracleVerdict,
  workloadOfPod,
} from "@microremed/catalogue";

/**
 * Every other workload of the environment is whole, with as many Ready replicas as its manifest asks for. Refuses: a
 * remedy that deletes or scales away a caller, a dependency or the load generator, or leaves one of them crashing.
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

export function judgeNeighbours(environment: Environment, target: string, arena: ArenaState): OracleVerdict {
  const pods = Map.groupBy(arena.pods, ({ metadata }) => workloadOfPod(environment, metadata.labels));
  const others = Object.entries(environment.workloads).filter(([name]) => name !== target);
  const problems = others.flatMap(([name, { replicas }]) => {
    const workload = arena.workloads.get(name);
    if (!workload) return [`${name} does not exist any more`];
    const wanted = workload.spec?.replicas ?? 1;
    if (wanted < replicas) return [`${name} is scaled to ${wanted}, it had ${replicas} replicas`];
    const ready = (pods.get(name) ?? []).filter(isPodReady).length;
    return ready < replicas ? [`${ready} of ${replicas} pods of ${name} are Ready`] : [];
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
