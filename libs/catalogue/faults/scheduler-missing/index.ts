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
  scheduler: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
    .default("batch-scheduler")
    .describe("name of the scheduler that is to place the pods; no scheduler of this name runs"),
});

const field = { of: "pod", field: "schedulerName" } as const;

/** The workload's pods wait for a scheduler that does not run; no event says so. */
export default defineFault({
  name: "scheduler-missing",
  title: "No such scheduler",
  description: "scheduler-missing: the service's pods are not placed on any node",
  drawn: { scheduler: drawnName("scheduler", "sched", "binpack", "placer") },
  withoutTwin:
    "a pod that names another scheduler runs only where its node is given, and no fault of placement could act on it any more",
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...field,
        wrong: ({ parameters: { scheduler } }) => scheduler,
        // Where the field is left out, the cluster names its own scheduler.
        cause: () => ({ right: "default-scheduler" }),
      },
    ],
    endsOldPods: true,
    explanation: (context) =>
      `pods of ${context.target} wait for the scheduler ${context.parameters.scheduler}, which does not run`,
    mechanism: "unschedulable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      startEvidence(
        labels,
        // A scheduler that runs says why it places a pod nowhere.
        ({ field: path, is }, why) =>
          path === "spec.template.spec.schedulerName" &&
          is !== null &&
          is !== "default-scheduler" &&
          why === "",
      ),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("names another scheduler that does not run", field, "gpu-scheduler"),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
