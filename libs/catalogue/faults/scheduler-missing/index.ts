import {
  anotherDeployment,
  changedTemplate,
  defineFault,
  deletePods,
  offeredWorkloads,
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
  scheduler: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
    .default("batch-scheduler")
    .describe("name of the scheduler that is to place the pods; none of it runs"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "pod", field: "schedulerName" } as const;
const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { scheduler } }) => [{ ...field, wrong: scheduler }],
  endsOldPods: true,
};

const labels = {
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

/** Where the field is left out, the cluster names its own scheduler. */
const inCluster = ({ objects, ...rest }: ReturnType<typeof truthOfChange>) => ({
  ...rest,
  objects: objects.map((one) => ({ ...one, right: "default-scheduler" })),
});

/** The workload's pods wait for a scheduler that does not run; no event says so. */
export default defineFault({
  name: "scheduler-missing",
  title: "No such scheduler",
  description: "scheduler-missing: the service's pods are not placed on any node",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...inCluster(truthOfChange(change, context)),
    ...labels,
    explanation: `pods of ${context.target} wait for the scheduler ${context.parameters.scheduler}, which does not run`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("names another scheduler that does not run", field, "gpu-scheduler"),
    anotherDeployment,
  ],
  // Both restart it, and new pods are not placed either.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: changedTemplate(labels, ({ field: path }) => path === "spec.template.spec.schedulerName"),
  runbook: revertConfiguration,
});
