import {
  between,
  defineFault,
  deletePods,
  operatedFault,
  operatedWorkloads,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { farTooMany } from "./evidence.ts";

const parameters = z.object({
  replicas: z
    .int()
    .min(1_000)
    .default(100_000)
    .describe("pods that are asked for; no cluster has room for so many"),
});

const field = "/replicas";

const fault = operatedFault({
  parameters,
  field,
  wrong: ({ replicas }) => replicas,
  explanation: ({ target, parameters: { replicas } }) =>
    `the custom resource of ${target} asks for ${replicas} replicas, for which no node has room, so that pods wait for ever and the service is never whole`,
  mechanism: "unschedulable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: farTooMany,
});

const scaleMade: Remedy = {
  name: "scale-statefulset",
  doc: "scales the StatefulSet back, which the operator takes back",
  commands: (context) => [
    `kubectl -n ${context.namespace} scale ${workloadPath(context)} --replicas=${context.workload.replicas}`,
  ],
};

/** A custom resource asks for more replicas than any cluster has room for. */
export default defineFault({
  name: "operator-cr-replicas-overload",
  title: "Custom resource that asks for far too many replicas",
  description: "operator-cr-replicas-overload: pods of the service wait for room",
  drawn: { replicas: between(1_000, 100_000) },
  symptom: "ready",
  recovery: ["ready", "serving", "reconciled"],
  rightActions: [],
  ...operatedWorkloads("/podManagementPolicy", (policy) =>
    policy === "OrderedReady"
      ? undefined
      : "all of its pods are made at once, which would use up the arena's quota",
  ),
  ...fault,
  shortcuts: [
    fault.setWrong("still-too-many", "asks for fewer, and still far too many", 900),
    scaleMade,
    restartEverything,
    deletePods,
  ],
  notShortcuts: restartingShortcuts,
});
