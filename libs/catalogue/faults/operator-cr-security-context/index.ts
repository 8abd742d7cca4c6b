import { between, defineFault, isJsonObject, refusedFault, z } from "@microremed/catalogue";

const parameters = z.object({
  user: z
    .int()
    .max(-1)
    .default(-1)
    .describe("number of the user as which the pods are to run; there is none"),
});

/** A custom resource asks for pods that run as a user that cannot be: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-security-context",
  title: "Custom resource with a user that cannot be",
  description: "operator-cr-security-context: changes of the service do not take effect any more",
  drawn: { user: between(-65_535, -1) },
  ...refusedFault({
    parameters,
    field: "/podSecurityContext/runAsUser",
    wrong: ({ user }) => user,
    asksFor: ({ user }) => `pods that run as the user ${user}, which there cannot be`,
    fieldFor: (refused) =>
      /\.securityContext\.runAsUser$/.test(refused)
        ? {
            field: "podSecurityContext.runAsUser",
            read: ({ podSecurityContext: given }) => (isJsonObject(given) ? given["runAsUser"] : undefined),
          }
        : undefined,
    other: { name: "other-wrong-user", doc: "asks for another user that cannot be", value: 2 ** 31 },
    byHand: {
      doc: "writes the user into the StatefulSet by hand, where it is right already; the custom resource stays wrong",
      field: "/spec/template/spec/securityContext/runAsUser",
      value: 1000,
    },
  }),
});
