import {
  anotherDeployment,
  beforeStuckStarts,
  defineFault,
  deletePods,
  drawnName,
  drawnWord,
  lacksPods,
  offeredWorkloads,
  reasonsOf,
  restartEverything,
  restartingShortcuts,
  setOther,
  shortOfPods,
  startReasons,
  templateEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  label: z.string().min(1).default("disktype").describe("label that the pods' node must have"),
  value: z.string().default("nvme").describe("its value; no node has it"),
});

const field = { of: "pod", field: "nodeSelector" } as const;

/** The workload's pods may only run on a node with a label that no node has. */
export default defineFault({
  name: "node-selector-missing-node",
  title: "No node of that label",
  description: "node-selector-missing-node: the service's pods are not placed on any node",
  drawn: { label: drawnName("pool", "nodes", "disk", "group", "class"), value: drawnWord },
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
      templateEvidence(
        labels,
        field,
        ({ object, is, answers: [, short = "", reasons = ""] }) =>
          is !== undefined &&
          lacksPods(short, object) &&
          reasonsOf(reasons, object.name).includes("affinity/selector"),
        [beforeStuckStarts, shortOfPods, startReasons],
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
