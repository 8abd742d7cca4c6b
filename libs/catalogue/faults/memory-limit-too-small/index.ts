import {
  anotherDeployment,
  type ChangedField,
  type ContainerSpec,
  changeEvidence,
  defineFault,
  deletePods,
  dropLimits,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  restartingShortcuts,
  setOther,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  memory: z
    .string()
    .regex(/^\d+(Ki|Mi|Gi)$/)
    .default("8Mi")
    .describe("limit, and request where that was more; less than the program needs to start"),
});

const field = { of: "container", field: "resources" } as const;
const bytes = (quantity: string | undefined): number => parseQuantity(quantity) ?? Number.POSITIVE_INFINITY;

function squeezed({ resources: { requests, limits } }: ContainerSpec, memory: string) {
  const request = bytes(requests.memory) > bytes(memory) ? { memory } : {};
  return { requests: { ...requests, ...request }, limits: { ...limits, memory } };
}
const least = bytes(parameters.parse({}).memory);

const limit = /\.resources\.limits\.(cpu|memory)$/;
/** A limit that was lowered to less than this share of what it was is no adjustment. */
const tooLittle = 0.1;
/** Hardly any program can live on so many bytes. */
const hardlyAny = 16 * 2 ** 20;

function isTiny({ field: path, was, is }: ChangedField, others: readonly ChangedField[]): boolean {
  const [before, now] = [was, is].map((json) => parseQuantity(json?.replaceAll('"', "")));
  const isOnlyOne = others.every((one) => limit.exec(one.field)?.[1] !== "cpu");
  if (limit.exec(path)?.[1] !== "memory" || !isOnlyOne || now === undefined) return false;
  return before === undefined ? now < hardlyAny : now < tooLittle * before;
}

/** A container may use less memory than its program needs, which the kernel kills again and again. */
export default defineFault({
  name: "memory-limit-too-small",
  title: "Memory limit too small",
  description: "memory-limit-too-small: the programs of the service are killed again and again",
  strengths: [
    { name: "4 MiB", parameters: { memory: "4Mi" } },
    { name: "12 MiB", parameters: { memory: "12Mi" } },
  ],
  // The API server writes a multiple of 1024 with the next unit.
  drawn: { memory: (rng) => `${4097 + rng.int(8) * 1024 + rng.int(1023)}Ki` },
  withoutLookalike:
    "judges hold each workload to the limits that it had, so that a lower one counts as harm, even where it suffices",
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, container }) =>
    container.behaviour.memoryMi * 2 ** 20 > least ? undefined : `${name} needs hardly any memory`,
  ),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { memory } }, { container }) => squeezed(container, memory),
        cause: ({ parameters: { memory } }, { container }) => ({
          path: ".limits.memory",
          wrong: memory,
          right: container.resources.limits.memory ?? "none",
        }),
      },
    ],
    endsOldPods: true,
    explanation: (context) =>
      `${context.target} may use ${context.parameters.memory} of memory and needs more, so it is killed as soon as it has started`,
    mechanism: "resources-too-small",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => changeEvidence(labels, isTiny),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    dropLimits,
    setOther("doubles the limit, which is still too small", field, {
      requests: { cpu: "50m", memory: "9Mi" },
      limits: { cpu: "200m", memory: "9Mi" },
    }),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
