import {
  defineFault,
  deletePods,
  type Environment,
  fieldFault,
  kinds,
  kubectl,
  offeredBehindServices,
  type Remedy,
  restartEverything,
  selectOwnPods,
  selectorEvidence,
  serviceOf,
  targetOf,
  workloadPath,
  z,
} from "@microremed/catalogue";

/** The label of a workload's pods that pods of the most other workloads have too; undefined: there is none. */
function sharedLabel({ workloads }: Environment, name: string): Readonly<Record<string, string>> | undefined {
  const { [name]: own, ...others } = workloads;
  const sharers = Object.entries(own?.labels ?? {}).map(([label, value]) => ({
    selector: { [label]: value },
    count: Object.values(others).filter(({ labels }) => labels[label] === value).length,
  }));
  return sharers.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)[0]?.selector;
}

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
  ...offeredBehindServices(({ name }, environment) =>
    sharedLabel(environment, name)
      ? undefined
      : `pods of ${name} have no label that pods of another workload have`,
  ),
  ...fieldFault({
    parameters: z.object({}),
    changes: (context) => {
      const { environment, target } = context;
      const wrong = sharedLabel(environment, targetOf(environment, target)?.name ?? "");
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
