import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  startEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  priorityClass: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
    .default("high-priority")
    .describe("name of the pods' priority class; no class has this name"),
});

const field = { of: "pod", field: "priorityClassName" } as const;

/** The API server refuses the workload's pods, because their priority class does not exist. */
export default defineFault({
  name: "priority-class-missing",
  title: "No such priority class",
  description: "priority-class-missing: the service has too few pods",
  drawn: { priorityClass: drawnName("priority", "critical", "class", "tier", "high") },
  lookalikes: ["priority-class-named"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { priorityClass } }) => priorityClass }],
    endsOldPods: true,
    pods: "refused",
    explanation: (context) =>
      `there is no priority class ${context.parameters.priorityClass}, so no pod of ${context.target} can be made`,
    mechanism: "refused-on-creation",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      startEvidence(
        labels,
        ({ field: path, is }, why) =>
          path === "spec.template.spec.priorityClassName" && is !== null && why.includes("PriorityClass"),
      ),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("names another class that does not exist", field, "low-priority"),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
