import { defineFault, isJsonObject, mistyped, refusedFault, z } from "@microremed/catalogue";

const parameters = z.object({
  effect: z
    .string()
    .min(1)
    .default("NoSchedulable")
    .describe("effect of the first toleration, which Kubernetes does not know"),
});

/** A custom resource asks for a toleration whose effect does not exist: its operator can change nothing any more. */
export default defineFault({
  name: "operator-cr-bad-toleration",
  title: "Custom resource with a toleration that does not exist",
  description: "operator-cr-bad-toleration: changes of the service do not take effect any more",
  drawn: { effect: (rng) => mistyped(rng.pick(["NoSchedule", "NoExecute", "PreferNoSchedule"]), rng) },
  ...refusedFault({
    parameters,
    field: "/tolerations/0/effect",
    wrong: ({ effect }) => effect,
    asksFor: ({ effect }) => `a toleration with the effect ${effect}, which Kubernetes does not know`,
    fieldFor: (refused) => {
      const [, index] = /tolerations\[(\d+)\]\.effect$/.exec(refused) ?? [];
      if (index === undefined) return undefined;
      return {
        field: `tolerations[${index}].effect`,
        read: ({ tolerations }) => {
          const one: unknown = Array.isArray(tolerations) ? tolerations[Number(index)] : undefined;
          return isJsonObject(one) ? one["effect"] : undefined;
        },
      };
    },
    other: {
      name: "other-wrong-effect",
      doc: "asks for another effect that does not exist",
      value: "Schedule",
    },
    byHand: {
      doc: "gives the StatefulSet a toleration by hand, which the operator does not keep, and its resource stays wrong",
      field: "/spec/template/spec/tolerations",
      value: [],
    },
  }),
});
