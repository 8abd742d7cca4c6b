import {
  between,
  defineFault,
  deletePods,
  isJsonObject,
  operatedFault,
  operatedWorkloads,
  type Remedy,
  refusedPart,
  restartEverything,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  user: z
    .int()
    .max(-1)
    .default(-1)
    .describe("number of the user as which the pods are to run; there is none"),
});

const field = "/podSecurityContext/runAsUser";

const fault = operatedFault({
  parameters,
  field,
  wrong: ({ user }) => user,
  explanation: ({ target, parameters: { user } }) =>
    `the custom resource of ${target} asks for pods that run as the user ${user}, which there cannot be, so that what its operator makes of it is refused, and no change of it takes effect`,
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    refusedPart(labels, (refused) =>
      /\.securityContext\.runAsUser$/.test(refused)
        ? {
            field: "podSecurityContext.runAsUser",
            read: ({ podSecurityContext: given }) => (isJsonObject(given) ? given["runAsUser"] : undefined),
          }
        : undefined,
    ),
});

const editMade: Remedy = {
  name: "edit-statefulset",
  doc: "writes the user into the StatefulSet by hand, where it is right already; the custom resource stays wrong",
  commands: ({ namespace, name, workload }) => [
    `kubectl -n ${namespace} patch ${workload.kind.toLowerCase()}/${name} --type=merge -p '{"spec":{"template":{"spec":{"securityContext":{"runAsUser":1000}}}}}'`,
  ],
};

/** A custom resource asks for pods that run as a user that cannot be: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-security-context",
  title: "Custom resource with a user that cannot be",
  description: "operator-cr-security-context: changes of the service do not take effect any more",
  drawn: { user: between(-65_535, -1) },
  symptom: "reconciled",
  recovery: ["ready", "serving", "reconciled"],
  rightActions: [],
  ...operatedWorkloads(field),
  ...fault,
  shortcuts: [
    fault.setWrong("other-wrong-user", "asks for another user that cannot be", 2 ** 31),
    editMade,
    restartEverything,
    deletePods,
  ],
});
