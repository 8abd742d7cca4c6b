import {
  anotherDeployment,
  between,
  type ChangedField,
  type ContainerSpec,
  defineFault,
  deletePods,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  restartingShortcuts,
  setOther,
  startEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  factor: z
    .int()
    .min(2)
    .default(1024)
    .describe(
      "times the memory that is declared, or a GiB where none is; 1024: written with the next larger unit",
    ),
});

const field = { of: "container", field: "resources" } as const;
const units = ["Ki", "Mi", "Gi", "Ti"];
/** Of a container that declares no request: what is taken for one. */
const undeclared = "1Gi";

/** The quantity as Kubernetes spells it: with the largest unit that keeps it whole. */
function times(quantity: string, factor: number): string {
  let [amount, unit] = [(Number(/^\d+/.exec(quantity)?.[0]) || 0) * factor, quantity.replace(/^\d+/, "")];
  for (let next = units.indexOf(unit) + 1; amount % 1024 === 0 && next < units.length; next++)
    [amount, unit] = [amount / 1024, units[next] ?? unit];
  return `${amount}${unit}`;
}

function inflated({ resources: { requests, limits } }: ContainerSpec, factor: number) {
  const memory = times(requests.memory ?? undeclared, factor);
  const limit = limits.memory === undefined ? {} : { memory: times(limits.memory, factor) };
  const all = { ...limits, ...limit };
  // The API server leaves out limits that are none.
  return { requests: { ...requests, memory }, ...(Object.keys(all).length > 0 && { limits: all }) };
}

/** No adjustment: so many times as much as before. */
const muchMore = 16;
/** More than nodes have, bytes: of a container that requested nothing before. */
const moreThanNodes = 512 * 2 ** 30;

function isHuge({ field: path, was, is }: ChangedField): boolean {
  const [before, now] = [was, is].map((json) => parseQuantity(json?.replaceAll('"', "")));
  if (!path.endsWith(".resources.requests.memory") || now === undefined) return false;
  return before === undefined ? now >= moreThanNodes : now > muchMore * before;
}

/** A container asks for more memory than any node has. */
export default defineFault({
  name: "resource-request-too-large",
  title: "Request too large",
  description: "resource-request-too-large: the service's pods are not placed on any node",
  drawn: { factor: between(1024, 4096) },
  lookalikes: ["memory-reserved"],
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, container }) => {
    const { requests, limits } = container.resources;
    const declared = parseQuantity(requests.memory ?? undeclared) ?? 0;
    // 1024 times as much is more than a large node has.
    if (declared < 64 * 2 ** 20) return `${name} requests too little memory`;
    return requests.memory === undefined && limits.memory !== undefined
      ? `${name} has a memory limit and no request of its own`
      : undefined;
  }),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { factor } }, { container }) => inflated(container, factor),
        cause: ({ parameters: { factor } }, { container }) => {
          const { memory } = container.resources.requests;
          const wrong = times(memory ?? undeclared, factor);
          return { path: ".requests.memory", wrong, right: memory ?? "none" };
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
    evidence: (labels) =>
      startEvidence(labels, (change, why) => isHuge(change) && why.includes("Insufficient memory")),
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
