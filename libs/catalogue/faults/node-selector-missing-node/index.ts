import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  drawnWord,
  isJsonObject,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  shellCall,
  unplacedEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  label: z.string().min(1).default("disktype").describe("label that the pods' node must have"),
  value: z.string().default("nvme").describe("its value; no node has it"),
});

const field = { of: "pod", field: "nodeSelector" } as const;

/** A line for each node: its labels. */
const nodeLabels = shellCall(
  `kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.labels}{"\\n"}{end}'`,
);

/** Whether a node with these labels, as JSON, is one that the selector asks for. */
const holdsAll = (labels: string, selector: unknown): boolean =>
  isJsonObject(selector) &&
  Object.entries(selector).every(([key, value]) =>
    labels.includes(`${JSON.stringify(key)}:${JSON.stringify(value)}`),
  );

/** The workload's pods may only run on a node with a label that no node has. */
export default defineFault({
  name: "node-selector-missing-node",
  title: "No node of that label",
  description: "node-selector-missing-node: the service's pods are not placed on any node",
  drawn: { label: drawnName("pool", "nodes", "disk", "group", "class"), value: drawnWord },
  lookalikes: ["node-label-asked"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { label, value } }) => ({ [label]: value }) }],
    endsOldPods: true,
    pods: "unplaced",
    explanation: (context) =>
      `pods of ${context.target} ask for a node with ${context.parameters.label}=${context.parameters.value}, and no node has this label`,
    mechanism: "unschedulable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      unplacedEvidence(
        labels,
        field,
        { reason: "affinity/selector", also: [nodeLabels] },
        ({ is }, nodes = "") => is !== undefined && !nodes.split("\n").some((labels) => holdsAll(labels, is)),
      ),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("asks for another label that no node has", field, { "kubernetes.io/hostname": "worker-99" }),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
