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
  label: z.string().min(1).default("disktype").describe("label that the pods' node must have"),
  value: z.string().default("nvme").describe("its value; no node has it"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "pod", field: "nodeSelector" } as const;
const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { label, value } }) => [{ ...field, wrong: { [label]: value } }],
  endsOldPods: true,
  pods: "unplaced",
};

const labels = {
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

/** The workload's pods may only run on a node that there is not. */
export default defineFault({
  name: "node-selector-missing-node",
  title: "No node of that label",
  description: "node-selector-missing-node: the service's pods are not placed on any node",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    ...labels,
    explanation: `pods of ${context.target} ask for a node with ${context.parameters.label}=${context.parameters.value}, and there is none`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("asks for another label that no node has", field, { "kubernetes.io/hostname": "worker-99" }),
    anotherDeployment,
  ],
  // Both restart it, and new pods are not placed either.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: changedTemplate(labels, ({ field: path }) => path === "spec.template.spec.nodeSelector"),
  runbook: revertConfiguration,
});
