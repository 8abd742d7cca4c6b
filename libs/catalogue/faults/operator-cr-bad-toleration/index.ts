import {
  defineFault,
  deletePods,
  isJsonObject,
  mistyped,
  operatedFault,
  operatedWorkloads,
  type Remedy,
  refusedPart,
  restartEverything,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  effect: z
    .string()
    .min(1)
    .default("NoSchedulable")
    .describe("effect of the first toleration, which Kubernetes does not know"),
});

const field = "/tolerations/0/effect";

const fault = operatedFault({
  parameters,
  field,
  wrong: ({ effect }) => effect,
  explanation: ({ target, parameters: { effect } }) =>
    `the custom resource of ${target} asks for a toleration with the effect ${effect}, which Kubernetes does not know, so that what its operator makes of it is refused, and no change of it takes effect`,
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    refusedPart(labels, (refused) => {
      const [, index] = /tolerations\[(\d+)\]\.effect$/.exec(refused) ?? [];
      if (index === undefined) return undefined;
      return {
        field: `tolerations[${index}].effect`,
        read: ({ tolerations }) => {
          const one: unknown = Array.isArray(tolerations) ? tolerations[Number(index)] : undefined;
          return isJsonObject(one) ? one["effect"] : undefined;
        },
      };
    }),
});

const editMade: Remedy = {
  name: "edit-statefulset",
  doc: "gives the StatefulSet a toleration by hand, which the operator does not keep, and its resource stays wrong",
  commands: ({ namespace, name, workload }) => [
    `kubectl -n ${namespace} patch ${workload.kind.toLowerCase()}/${name} --type=merge -p '{"spec":{"template":{"spec":{"tolerations":[]}}}}'`,
  ],
};

/** A custom resource asks for a toleration whose effect does not exist: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-bad-toleration",
  title: "Custom resource with a toleration that does not exist",
  description: "operator-cr-bad-toleration: changes of the service do not take effect any more",
  drawn: { effect: (rng) => mistyped(rng.pick(["NoSchedule", "NoExecute", "PreferNoSchedule"]), rng) },
  symptom: "reconciled",
  recovery: ["ready", "serving", "reconciled"],
  rightActions: [],
  ...operatedWorkloads(field),
  ...fault,
  shortcuts: [
    fault.setWrong("other-wrong-effect", "asks for another effect that does not exist", "Schedule"),
    editMade,
    restartEverything,
    deletePods,
  ],
});
