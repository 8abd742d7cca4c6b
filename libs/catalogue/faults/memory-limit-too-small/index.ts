import {
  anotherDeployment,
  type ChangedField,
  type ContainerSpec,
  changedTemplate,
  defineFault,
  deletePods,
  dropLimits,
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
  memory: z
    .string()
    .regex(/^\d+(Ki|Mi|Gi)$/)
    .default("8Mi")
    .describe("limit, and request where that was more; less than the program needs to start"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "container", field: "resources" } as const;
const bytes = (quantity: string | undefined): number => parseQuantity(quantity) ?? Number.POSITIVE_INFINITY;

function squeezed({ resources: { requests, limits } }: ContainerSpec, memory: string) {
  const request = bytes(requests.memory) > bytes(memory) ? { memory } : {};
  return { requests: { ...requests, ...request }, limits: { ...limits, memory } };
}

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { memory } }, { container }) => [{ ...field, wrong: squeezed(container, memory) }],
  endsOldPods: true,
};
const least = bytes(parameters.parse({}).memory);

const labels = {
  mechanism: "resources-too-small",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

const limit = /\.resources\.limits\.(cpu|memory)$/;
/** Of the resources it is the memory's limit. */
function inMemory(
  truth: ReturnType<typeof truthOfChange>,
  { environment, target, parameters: { memory } }: TruthContext & { readonly parameters: Parameters },
) {
  const right = targetOf(environment, target)?.container.resources.limits.memory ?? "none";
  return {
    ...truth,
    objects: truth.objects.map((one) => ({
      ...one,
      field: `${one.field}.limits.memory`,
      wrong: memory,
      right,
    })),
  };
}

/** A limit that was lowered to less than this share of what it was is no adjustment. */
const tooLittle = 0.1;

function isTiny({ field: path, was, is }: ChangedField, others: readonly ChangedField[]): boolean {
  const [before, now] = [was, is].map((json) => parseQuantity(json?.replaceAll('"', "")));
  const isOnlyOne = others.every((one) => limit.exec(one.field)?.[1] !== "cpu");
  return (
    limit.exec(path)?.[1] === "memory" &&
    isOnlyOne &&
    before !== undefined &&
    now !== undefined &&
    now < tooLittle * before
  );
}

/** A container may use less memory than its program needs, which the kernel kills again and again. */
export default defineFault({
  name: "memory-limit-too-small",
  title: "Memory limit too small",
  description: "memory-limit-too-small: the programs of the service are killed again and again",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving", "config", "cpu", "memory"],
  rightActions: [],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, container }) => {
    if (container.resources.limits.memory === undefined) return `${name} has no memory limit`;
    return container.behaviour.memoryMi * 2 ** 20 > least ? undefined : `${name} needs hardly any memory`;
  }),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...inMemory(truthOfChange(change, context), context),
    ...labels,
    explanation: `${context.target} may use ${context.parameters.memory} of memory and needs more, so it is killed as soon as it has started`,
  }),
  repairs: [undoRollout, setBack([field])],
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
  // Both restart it, and new pods are killed too.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: changedTemplate(labels, isTiny),
  runbook: revertConfiguration,
});
