import {
  type BaselineValues,
  type Container,
  cpuMeter,
  defineOracle,
  judged,
  type Measurement,
  memoryMeter,
  neededLimit,
  type OracleVerdict,
  parseQuantity,
  type ResourceMeter,
  symptomOf,
  type TargetState,
} from "@microremed/catalogue";

/** The template and every pod have limits on which the workload can live; where there was none before, none is needed. */
export default defineOracle({
  name: "config",
  description: "the template's and every pod's limits suffice",
  cost: 5,
  measure: async ({ state, context }) => judgeConfig(state, context.baseline),
  async symptom({ state, context }) {
    const { measurements } = judgeConfig(state, context.baseline);
    const signs = state.pods.flatMap((pod) =>
      limitProblems(`pod ${pod.metadata.name}`, inPod(pod, state), context.baseline),
    );
    return symptomOf("config", signs, "every pod has limits that suffice", measurements);
  },
});

const meters: readonly ResourceMeter[] = [cpuMeter, memoryMeter];

function inPod(pod: TargetState["pods"][number], state: TargetState): Container | undefined {
  return pod.spec?.containers.find(({ name }) => name === state.container);
}

function limitProblems(where: string, container: Container | undefined, baseline: BaselineValues): string[] {
  return meters.flatMap((meter) => {
    const needed = neededLimit(meter, baseline);
    if (needed === undefined) return [`the baseline has no ${meter.resource} usage to compare with`];
    const limit = parseQuantity(container?.resources?.limits?.[meter.resource]);
    if (limit === undefined)
      return baseline[meter.limitKey] === undefined ? [] : [`${where} has no ${meter.resource} limit`];
    return limit < needed ? [`${where} has a ${meter.resource} limit of ${limit}, it needs ${needed}`] : [];
  });
}

export function judgeConfig(state: TargetState, baseline: BaselineValues): OracleVerdict {
  const inTemplate = state.workload?.spec?.template?.spec?.containers.find(
    ({ name }) => name === state.container,
  );
  const measurements: Measurement[] = meters.map((meter) => ({
    name: `${meter.resource} limit in the template of ${state.target}`,
    value: parseQuantity(inTemplate?.resources?.limits?.[meter.resource]) ?? 0,
    unit: meter.unit,
    threshold: neededLimit(meter, baseline) ?? null,
    at: state.at,
  }));
  const problems = [
    ...limitProblems(`the template of ${state.target}`, inTemplate, baseline),
    ...state.pods.flatMap((pod) => limitProblems(`pod ${pod.metadata.name}`, inPod(pod, state), baseline)),
  ];
  return judged("config", problems, "the limits suffice", measurements);
}
