import { defineNoise, kinds, onDeployment, z } from "@microremed/catalogue";

const parameters = z.object({
  maxSurge: z
    .string()
    .regex(/^([1-9][0-9]?|100)%$/)
    .default("50%")
    .describe("of its replicas"),
});

export default defineNoise({
  name: "surge-raised",
  title: "A rollout that may start more pods",
  description:
    "A Deployment may start more new pods at once in its next rollout. Nothing is rolled out, and no pod is taken away sooner.",
  parameters,
  variants: [{ maxSurge: "30%" }, { maxSurge: "40%" }, { maxSurge: "75%" }, { maxSurge: "100%" }],
  ...onDeployment,
  async place({ cluster, namespace, target, parameters: { maxSurge } }) {
    const body = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } } } };
    await cluster.patch(kinds.deployment, namespace, target, { type: "merge", body });
  },
});
