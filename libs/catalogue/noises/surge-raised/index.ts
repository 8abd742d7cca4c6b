import { defineNoise, type Environment, onDeclaredWorkload, patchWorkload, z } from "@microremed/catalogue";

const parameters = z.object({
  maxSurge: z
    .string()
    .regex(/^([1-9][0-9]?|100)%$/)
    .default("50%")
    .describe("of its replicas"),
});

/** One that ends its old pods first may not have two of them at once. */
const isRolling = ({ manifests }: Environment, name: string): boolean =>
  manifests.some(
    ({ kind, metadata, spec }) =>
      kind === "Deployment" && metadata.name === name && !JSON.stringify(spec).includes('"type":"Recreate"'),
  );

export default defineNoise({
  name: "surge-raised",
  title: "A rollout that may start more pods",
  description:
    "A Deployment may start more new pods at once in its next rollout. Nothing is rolled out, and no pod is taken away sooner.",
  parameters,
  changes: ["spec.strategy"],
  drawn: { maxSurge: (rng) => `${26 + rng.int(75)}%` },
  ...onDeclaredWorkload("Deployment"),
  targets: (environment) =>
    onDeclaredWorkload("Deployment")
      .targets(environment)
      .filter((name) => isRolling(environment, name)),
  place: (context) => {
    const { maxSurge } = context.parameters;
    return patchWorkload(context, { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } } });
  },
});
