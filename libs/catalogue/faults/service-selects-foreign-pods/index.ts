import {
  defineFault,
  deletePods,
  fieldFault,
  kinds,
  kubectl,
  offeredBehindServices,
  type Remedy,
  restartEverything,
  selectOwnPods,
  selectorEvidence,
  serviceOf,
  workloadPath,
  z,
} from "@microremed/catalogue";

const partOf = "app.kubernetes.io/part-of";

const moreReplicas: Remedy = {
  name: "more-replicas",
  doc: "adds replicas of the target, so that fewer requests go to the others' pods",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=${context.workload.replicas + 3}`,
  ],
};

/** The selector of a Service is so wide that pods of other workloads are among its endpoints. */
export default defineFault({
  name: "service-selects-foreign-pods",
  title: "Service that selects others' pods",
  description: "service-selects-foreign-pods: many requests to the service fail",
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices((_, { workloads }) =>
    Object.keys(workloads).length > 1 ? undefined : "there are no pods of other workloads",
  ),
  ...fieldFault({
    parameters: z.object({}),
    changes: (context) => {
      const wrong = { [partOf]: context.environment.name };
      return [{ kind: kinds.service, name: serviceOf(context)?.name ?? "", path: "/spec/selector", wrong }];
    },
    explanation: (context) =>
      `the selector of the Service ${serviceOf(context)?.name} fits all pods of the system, so that requests go to programs that do not listen on its port`,
    mechanism: "wrong-route",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => selectorEvidence(labels, ({ workloads }) => workloads.length > 1),
  }),
  runbook: selectOwnPods,
  shortcuts: [moreReplicas, restartEverything, deletePods],
});
