import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  drawnWord,
  namespaceOf,
  objectName,
  offeredWorkloads,
  parametersOf,
  type RemedyContext,
  releaseNodes,
  reserveNode,
  restartEverything,
  restartingShortcuts,
  setOther,
  unplacedEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  key: objectName.default("dedicated").describe("key of the taint, and of a label of the same nodes"),
  tolerated: objectName
    .default("batch")
    .describe("value of the taint that the pods tolerate; no node has a taint with it"),
});

const field = { of: "pod", field: "tolerations" } as const;

const tolerationOf = (key: string, value: string) => [
  { key, operator: "Equal", value, effect: "NoSchedule" },
];

const { inject, status, remove, ...parts } = workloadFault({
  parameters,
  edits: [
    {
      ...field,
      wrong: ({ parameters: { key, tolerated } }) => tolerationOf(key, tolerated),
    },
    {
      of: "pod",
      field: "nodeSelector",
      wrong: (context) => ({ [context.parameters.key]: namespaceOf(context) }),
      cause: () => ({ beside: true }),
    },
  ],
  endsOldPods: true,
  pods: "unplaced",
  explanation: (context) =>
    `pods of ${context.target} ask for the nodes that are reserved by the taint ${context.parameters.key}=${namespaceOf(context)}, and tolerate ${context.parameters.key}=${context.parameters.tolerated} instead`,
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    unplacedEvidence(labels, field, { reason: "untolerated taint" }, ({ is }) => is !== undefined),
});

/** The workload's pods must run on the nodes that are reserved for the system, and do not tolerate their taint. */
export default defineFault({
  name: "node-taint-no-toleration",
  title: "Taint that is not tolerated",
  description: "node-taint-no-toleration: the service's pods are not placed on any node",
  drawn: { key: drawnName("pool", "nodes", "dedicated", "group", "tier"), tolerated: drawnWord },
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...parts,
  async inject(context) {
    await reserveNode(context, context.parameters.key, true);
    await inject(context);
  },
  status,
  async remove(context) {
    await remove(context);
    await releaseNodes(context, context.parameters.key);
  },
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("tolerates another value, which is not the taint's either", field, (context: RemedyContext) =>
      tolerationOf(parametersOf(parameters, context).key, "general"),
    ),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
