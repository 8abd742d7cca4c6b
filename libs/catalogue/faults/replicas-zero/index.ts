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
  restartingShortcuts,
  setBack,
  workloadFault,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { scaledAway } from "./evidence.ts";
import { scaleUp } from "./scale-up.ts";

const parameters = z.object({
  replicas: z
    .int()
    .min(0)
    .max(1)
    .default(0)
    .describe("replicas that are left; 1 only shows where there were more"),
});

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
  withoutDraw: "no replicas at all is the fault",
  withoutLookalike: "every workload of the systems is needed, and one without pods serves no request",
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) =>
    workload.replicas > 0 ? undefined : `${name} is declared without replicas`,
  ),
  ...workloadFault({
    parameters,
    edits: [{ of: "workload", field: "replicas", wrong: ({ parameters: { replicas } }) => replicas }],
    explanation: (context) =>
      `${context.target} is scaled to ${context.parameters.replicas} replicas, so nothing answers its callers`,
    mechanism: "scaled-away",
    systemLevel: "Virtualization",
    faultType: "Operation Error",
    evidence: scaledAway,
  }),
  repairs: [scaleBack, setBack([{ of: "workload", field: "replicas" }]), oneMore],
  runbook: scaleUp,
  shortcuts: [restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
