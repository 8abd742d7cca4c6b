import {
  defineFault,
  deletePods,
  mistyped,
  operatedFault,
  operatedWorkloads,
  type Remedy,
  refusedPart,
  restartEverything,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  strategy: z
    .string()
    .min(1)
    .default("SomeStrategyForUpdate")
    .describe("how pods are to be replaced, which Kubernetes does not know"),
});

const field = "/statefulSetUpdateStrategy";

const fault = operatedFault({
  parameters,
  field,
  wrong: ({ strategy }) => strategy,
  explanation: ({ target, parameters: { strategy } }) =>
    `the custom resource of ${target} asks for the update strategy ${strategy}, which Kubernetes does not know, so that what its operator makes of it is refused, and no change of it takes effect`,
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    refusedPart(labels, (refused) =>
      /^spec\.updateStrategy(\.type)?$/.test(refused)
        ? {
            field: "statefulSetUpdateStrategy",
            read: ({ statefulSetUpdateStrategy }) => statefulSetUpdateStrategy,
          }
        : undefined,
    ),
});

const editMade: Remedy = {
  name: "edit-statefulset",
  doc: "sets the strategy of the StatefulSet by hand, where it is right already; the custom resource stays wrong",
  commands: ({ namespace, name, workload }) => [
    `kubectl -n ${namespace} patch ${workload.kind.toLowerCase()}/${name} --type=merge -p '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'`,
  ],
};

/** A custom resource asks for an update strategy that does not exist: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-update-strategy",
  title: "Custom resource with an update strategy that does not exist",
  description: "operator-cr-update-strategy: changes of the service do not take effect any more",
  drawn: { strategy: (rng) => mistyped(rng.pick(["RollingUpdate", "OnDelete", "Recreate"]), rng) },
  symptom: "reconciled",
  recovery: ["ready", "serving", "reconciled"],
  rightActions: [],
  ...operatedWorkloads(field),
  ...fault,
  shortcuts: [
    fault.setWrong(
      "other-wrong-strategy",
      "asks for the strategy of Deployments, which StatefulSets do not have",
      "Recreate",
    ),
    editMade,
    restartEverything,
    deletePods,
  ],
});
