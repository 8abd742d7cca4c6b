import { defineNoise, kinds, onDeployment, patchTemplate, z } from "@microremed/catalogue";

const labels = [
  "kubernetes.io/os",
  "beta.kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/arch",
] as const;

const parameters = z.object({
  label: z
    .enum(labels)
    .default("kubernetes.io/os")
    .describe("label of nodes; where they differ in it, their system's"),
});

export default defineNoise({
  name: "node-label-asked",
  title: "Pods that ask for a label of every node",
  description: "A Deployment was rolled out whose pods ask for nodes with a label that every node has.",
  parameters,
  changes: ["spec.template.spec.nodeSelector"],
  drawn: { label: (rng) => rng.pick(labels) },
  ...onDeployment,
  async place(context) {
    const { label } = context.parameters;
    const nodes = await context.cluster.list(kinds.node, {});
    const [value, ...others] = new Set(nodes.map(({ metadata }) => metadata.labels?.[label]));
    const isShared = value !== undefined && others.length === 0;
    await patchTemplate(context, {
      nodeSelector: isShared ? { [label]: value } : { "kubernetes.io/os": "linux" },
    });
  },
});
