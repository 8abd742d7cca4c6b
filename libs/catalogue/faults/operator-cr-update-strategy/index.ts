import { defineFault, mistyped, refusedFault, z } from "@microremed/catalogue";

const parameters = z.object({
  strategy: z
    .string()
    .min(1)
    .default("SomeStrategyForUpdate")
    .describe("how pods are to be replaced, which Kubernetes does not know"),
});

/** A custom resource asks for an update strategy that does not exist: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-update-strategy",
  title: "Custom resource with an update strategy that does not exist",
  description: "operator-cr-update-strategy: changes of the service do not take effect any more",
  drawn: { strategy: (rng) => mistyped(rng.pick(["RollingUpdate", "OnDelete", "Recreate"]), rng) },
  ...refusedFault({
    parameters,
    field: "/statefulSetUpdateStrategy",
    wrong: ({ strategy }) => strategy,
    asksFor: ({ strategy }) => `the update strategy ${strategy}, which Kubernetes does not know`,
    fieldFor: (refused) =>
      /^spec\.updateStrategy(\.type)?$/.test(refused)
        ? {
            field: "statefulSetUpdateStrategy",
            read: ({ statefulSetUpdateStrategy }) => statefulSetUpdateStrategy,
          }
        : undefined,
    other: {
      name: "other-wrong-strategy",
      doc: "asks for the strategy of Deployments, which StatefulSets do not have",
      value: "Recreate",
    },
    byHand: {
      doc: "sets the strategy of the StatefulSet by hand, where it is right already; the custom resource stays wrong",
      field: "/spec/updateStrategy/type",
      value: "RollingUpdate",
    },
  }),
});
