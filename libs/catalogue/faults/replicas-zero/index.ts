import {
  anotherDeployment,
  awaitRollout,
  defineFault,
  deletePods,
  keepsData,
  kubectl,
  offeredWorkloads,
  type Remedy,
  type RemedyContext,
  restartEverything,
  setBack,
  truthOfChange,
  type WorkloadChange,
  workloadChange,
  workloadPath,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  replicas: z
    .int()
    .min(0)
    .max(1)
    .default(0)
    .describe("replicas that are left; 1 only shows where there were more"),
});
type Parameters = z.output<typeof parameters>;

const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { replicas } }) => [{ of: "workload", field: "replicas", wrong: replicas }],
};

const scale = (context: RemedyContext, replicas: number): string[] => [
  `${kubectl(context)} scale ${workloadPath(context)} --replicas=${replicas}`,
  awaitRollout(context),
];

const scaleBack: Remedy = {
  name: "scale-back",
  doc: "scales to as many replicas as were declared",
  commands: (context) => scale(context, context.workload.replicas),
};

const oneMore: Remedy = {
  name: "scale-to-one-more",
  doc: "scales to one replica more than declared, which serves as well",
  applies: ({ environment, name }) => !keepsData(environment, name),
  commands: (context) => scale(context, context.workload.replicas + 1),
};

/** The workload is scaled away. */
export default defineFault({
  name: "replicas-zero",
  title: "Scaled away",
  description: "replicas-zero: the service has too few pods",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }) =>
    workload.replicas > 0 ? undefined : `${name} is declared without replicas`,
  ),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "scaled-away",
    explanation: `${context.target} is scaled to ${context.parameters.replicas} replicas, so nothing answers its callers`,
    systemLevel: "Virtualization",
    faultType: "Operation Error",
  }),
  repairs: [scaleBack, setBack([{ of: "workload", field: "replicas" }]), oneMore],
  shortcuts: [restartEverything, deletePods, anotherDeployment],
  // Both restart it, and there is nothing to restart.
  notShortcuts: ["delete-service", "stop-load"],
});
