import {
  anotherDeployment,
  type ContainerSpec,
  defineFault,
  deletePods,
  dropLimits,
  offeredWorkloads,
  parseQuantity,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
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
    ...truthOfChange(change, context),
    mechanism: "resources-too-small",
    explanation: `${context.target} may use ${context.parameters.memory} of memory and needs more, so it is killed as soon as it has started`,
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
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
  runbook: revertConfiguration,
});
