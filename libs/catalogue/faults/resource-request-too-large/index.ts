import {
  anotherDeployment,
  type ChangedField,
  type ContainerSpec,
  changeEvidence,
  defineFault,
  deletePods,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  restartingShortcuts,
  setOther,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  factor: z
    .int()
    .min(2)
    .default(1024)
    .describe("times the memory that is declared; 1024: written with the next larger unit"),
});

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

const request = /\.resources\.requests\.memory$/;
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
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, container }) => {
    const { requests, limits } = container.resources;
    if (requests.memory === undefined) return `${name} requests no memory`;
    // 1024 times as much is more than a large node has.
    if ((parseQuantity(requests.memory) ?? 0) < 32 * 2 ** 20) return `${name} requests too little memory`;
    return limits.memory === undefined ? `${name} has no memory limit` : undefined;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { factor } }, { container }) => inflated(container, factor),
        cause: ({ parameters: { factor } }, { container }) => {
          const right = container.resources.requests.memory ?? "none";
          return { path: ".requests.memory", wrong: times(right, factor), right };
        },
      },
    ],
    endsOldPods: true,
    pods: "unplaced",
    explanation: (context) =>
      `${context.target} requests ${context.parameters.factor} times its memory, which no node has`,
    mechanism: "unschedulable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => changeEvidence(labels, isHuge),
  }),
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
  notShortcuts: restartingShortcuts,
});
