import {
  defineFault,
  deletePods,
  fieldFault,
  isRolledOut,
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
import { areLabelled, joiningOf, labelPods, unlabel } from "./joining.ts";

const moreReplicas: Remedy = {
  name: "more-replicas",
  doc: "adds replicas of the target, so that fewer requests go to the others' pods",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=${context.workload.replicas + 3}`,
  ],
};

const selection = fieldFault({
  parameters: z.object({}),
  changes: (context) => [
    {
      kind: kinds.service,
      name: serviceOf(context)?.name ?? "",
      path: "/spec/selector",
      wrong: joiningOf(context.environment, context.target)?.selector,
    },
  ],
  explanation: (context) =>
    `the selector of the Service ${serviceOf(context)?.name} fits pods of other workloads too, so that requests go to programs that do not listen on its port`,
  mechanism: "wrong-route",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) => selectorEvidence(labels, ({ workloads }) => workloads.length > 1),
});

const [setSelector] = selection.repairs;

const takeLabelsAway: Remedy = {
  name: "take-labels-away",
  doc: "gives the Service its selector back, and takes from the pods the label that they share",
  applies: ({ environment, target }) => (joiningOf(environment, target)?.labelled.length ?? 0) > 0,
  commands: (context) => [...(setSelector?.commands(context) ?? []), ...unlabel(context)],
};

/** The selector of a Service is so wide that pods of other workloads are among its endpoints. */
export default defineFault({
  name: "service-selects-foreign-pods",
  title: "Service that selects others' pods",
  description: "service-selects-foreign-pods: many requests to the service fail",
  withoutDraw: "the labels that all pods share are the system's",
  lookalikes: ["selector-replaced"],
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(({ name }, environment) =>
    joiningOf(environment, name)
      ? undefined
      : `pods of ${name} have no label that pods of another workload have, and call none that listens elsewhere`,
  ),
  ...selection,
  async inject(context) {
    await labelPods(context, context.environment.name);
    await selection.inject(context);
  },
  async status(context) {
    const status = await selection.status(context);
    const { labelled = [] } = joiningOf(context.environment, context.target) ?? {};
    const rolledOut = await Promise.all(labelled.map((name) => isRolledOut(context, name)));
    return {
      ...status,
      present: status.present || (await areLabelled(context)),
      injected: status.injected && rolledOut.every(Boolean),
    };
  },
  async remove(context) {
    await selection.remove(context);
    await labelPods(context, null);
  },
  repairs: [...selection.repairs, takeLabelsAway],
  runbook: selectOwnPods,
  shortcuts: [moreReplicas, restartEverything, deletePods],
});
