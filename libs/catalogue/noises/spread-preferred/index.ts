import { defineNoise, onDeployment, patchTemplate, z } from "@microremed/catalogue";

const parameters = z.object({
  topologyKey: z.string().min(1).default("kubernetes.io/hostname").describe("label of nodes"),
  weight: z.int().min(1).max(100).default(50).describe("how much it counts when a node is chosen"),
});

export default defineNoise({
  name: "spread-preferred",
  title: "Pods that rather run apart",
  description:
    "A Deployment was rolled out whose pods are rather not put where others of it are. Where no other node is, they run there all the same.",
  parameters,
  changes: ["spec.template.spec.affinity"],
  drawn: {
    topologyKey: (rng) => `${rng.pick(["", "beta."])}kubernetes.io/${rng.pick(["os", "arch"])}`,
    weight: (rng) => 1 + rng.int(100),
  },
  ...onDeployment,
  async place(context) {
    const { topologyKey, weight } = context.parameters;
    const { selector: matchLabels = {} } = context.environment.workloads[context.target] ?? {};
    const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey };
    const preferred = [{ weight, podAffinityTerm }];
    await patchTemplate(context, {
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } },
    });
  },
});
