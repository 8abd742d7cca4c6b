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
  priorityClass: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
    .default("high-priority")
    .describe("name of the pods' priority class; there is none of it"),
});
type Parameters = z.output<typeof parameters>;

const field = { of: "pod", field: "priorityClassName" } as const;
const change: WorkloadChange<Parameters> = {
  edits: ({ parameters: { priorityClass } }) => [{ ...field, wrong: priorityClass }],
  endsOldPods: true,
  pods: "refused",
};

const labels = {
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
} as const;

/** The API server refuses the workload's pods, whose priority class there is not. */
export default defineFault({
  name: "priority-class-missing",
  title: "No such priority class",
  description: "priority-class-missing: the service has too few pods",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    ...labels,
    explanation: `there is no priority class ${context.parameters.priorityClass}, so no pod of ${context.target} can be made`,
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("names another class that there is not", field, "low-priority"),
    anotherDeployment,
  ],
  // Both restart it, and new pods are refused too.
  notShortcuts: ["delete-service", "stop-load"],
  evidence: changedTemplate(labels, ({ field: path }) => path === "spec.template.spec.priorityClassName"),
  runbook: revertConfiguration,
});
