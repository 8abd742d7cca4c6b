import {
  anotherDeployment,
  defineFault,
  deletePods,
  drawnName,
  objectName,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  startEvidence,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  account: objectName
    .default("app-runtime")
    .describe("name of the pods' service account; the namespace has none of this name"),
});

const field = { of: "pod", field: "serviceAccountName" } as const;
/** The field's old name: the API server fills in either from the other, so one alone cannot be taken away. */
const oldField = { of: "pod", field: "serviceAccount" } as const;

/** The API server refuses the workload's pods, because their service account does not exist. */
export default defineFault({
  name: "service-account-missing",
  title: "No such service account",
  description: "service-account-missing: the service has too few pods",
  drawn: { account: drawnName("runtime", "sa", "runner", "account", "app") },
  lookalikes: ["own-service-account"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, workload }) =>
    workload.permissions.length === 0 ? undefined : `${name} has a service account of its own`,
  ),
  ...workloadFault({
    parameters,
    edits: [field, oldField].map((one) => ({
      ...one,
      wrong: ({ parameters: { account } }) => account,
    })),
    endsOldPods: true,
    pods: "refused",
    explanation: (context) =>
      `there is no service account ${context.parameters.account}, so no pod of ${context.target} can be made`,
    mechanism: "refused-on-creation",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      startEvidence(
        labels,
        ({ field: path, is }, why) =>
          path === "spec.template.spec.serviceAccountName" && is !== null && why.includes("service account"),
      ),
  }),
  shortcuts: [
    restartEverything,
    deletePods,
    setOther("names another account that does not exist", field, "app-runner"),
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
