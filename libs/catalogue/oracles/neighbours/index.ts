import {
  type ArenaState,
  defineOracle,
  type Environment,
  isPodReady,
  judged,
  type OracleVerdict,
  rolloutProblems,
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

export function judgeNeighbours(environment: Environment, target: string, arena: ArenaState): OracleVerdict {
  const pods = Map.groupBy(arena.pods, ({ metadata }) => workloadOfPod(environment, metadata.labels));
  const others = Object.entries(environment.workloads).filter(([name]) => name !== target);
  const problems = others.flatMap(([name, { replicas }]) => {
    const workload = arena.workloads.get(name);
    if (!workload) return [`${name} does not exist any more`];
    const ready = (pods.get(name) ?? []).filter(isPodReady).length;
    const unready = ready < replicas ? [`${ready} of ${replicas} pods of ${name} are Ready`] : [];
    // One of a workload's problems says enough: workloads are counted.
    return [...rolloutProblems(name, workload, replicas), ...unready].slice(0, 1);
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
