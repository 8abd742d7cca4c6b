import {
  anotherDeployment,
  type ChangedField,
  type ContainerSpec,
  changedTemplate,
  defineFault,
  deletePods,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  type TruthContext,
  targetOf,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  factor: z
    .int()
    .min(2)
    .default(1024)
    .describe("times the memory that is declared; 1024: written with the next larger unit"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "resources" } as const;
const units = ["Ki", "Mi", "Gi", "Ti"];

/** The quantity as Kubernetes spells it: with the largest unit that keeps it whole. */
function times(quantity: string, factor: number): string {
  let [amount, unit] = [(Number(/^\d+/.exec(quantity)?.[0]) || 0) * factor, quantity.replace(/^\d+/, "")];
  for (let next = units.indexOf(unit) + 1; amount % 1024 === 0 && next < units.length; next++)
    [amount, unit] = [amount / 1024, units[next] ?? unit];
  return `${amount}${unit}`;
}

function inflated({ resources: { requests, limits } }: ContainerSpec, factor: number) {
  const memory = times(requests.memory ?? "", factor);
  const limit = limits.memory === undefined ? {} : { memory: times(limits.memory, factor) };
  return { requests: { ...requests, memory }, limits: { ...limits, ...limit } };
}

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { factor } }, { container }) => [{ ...field, wrong: inflated(container, factor) }],
  endsOldPods: true,
  pods: "unplaced",
};

const labels = {
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

const request = /\.resources\.requests\.memory$/;
/** Of the resources it is the memory that is requested. */
function inMemory(
  truth: ReturnType<typeof truthOfChange>,
  { environment, target, parameters: { factor } }: TruthContext & { readonly parameters: Parameters },
) {
  const right = targetOf(environment, target)?.container.resources.requests.memory ?? "none";
  return {
    ...truth,
    objects: truth.objects.map((one) => ({
      ...one,
      field: `${one.field}.requests.memory`,
      wrong: times(right, factor),
      right,
    })),
  };
}

/** No adjustment: so many times as much as before. */
const muchMore = 16;

function isHuge({ field: path, was, is }: ChangedField): boolean {
  const [before, now] = [was, is].map((json) => parseQuantity(json?.replaceAll('"', "")));
  return request.test(path) && before !== undefined && now !== undefined && now > muchMore * before;
}

/** A container asks for more memory than any node has. */
export default defineFault({
  name: "resource-request-too-large",
  title: "Request too large",
  description: "resource-request-too-large: the service's pods are not placed on any node",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  rightActions: [],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, container }) => {
    const { requests, limits } = container.resources;
    if (requests.memory === undefined) return `${name} requests no memory`;
    // 1024 times as much is more than a large node has.
    if ((parseQuantity(requests.memory) ?? 0) < 32 * 2 ** 20) return `${name} requests too little memory`;
    return limits.memory === undefined ? `${name} has no memory limit` : undefined;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...inMemory(truthOfChange(change, context), context),
    ...labels,
    explanation: `${context.target} requests ${context.parameters.factor} times its memory, which no node has`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("asks for less, and for more than any node has", field, {
      requests: { cpu: "50m", memory: "900Gi" },
      limits: { cpu: "100m", memory: "900Gi" },
    }),
    {
      ...setOther("asks for nothing at all", field, {}),
      name: "no-resources",
    },
    anotherDeployment,
  ],
  // Both restart it, and new pods are not placed either.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: changedTemplate(labels, isHuge),
  runbook: revertConfiguration,
});
