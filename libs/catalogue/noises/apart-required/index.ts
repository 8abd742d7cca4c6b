import {
  defineNoise,
  drawnEnding,
  drawnWord,
  labelName,
  nameEnding,
  onDeployment,
  patchTemplate,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  topologyKey: z.string().min(1).default("kubernetes.io/os").describe("label of nodes"),
  label: labelName.default("old-track").describe("of the pods that are kept apart; no pod has it"),
  value: nameEnding.default("legacy"),
});

export default defineNoise({
  name: "apart-required",
  title: "Pods that must run apart from pods that are not there",
  description:
    "A Deployment was rolled out whose pods must not run where pods of it with one more label do. No pod has that label, so they run anywhere.",
  parameters,
  changes: ["spec.template.spec.affinity"],
  drawn: {
    topologyKey: (rng) => `${rng.pick(["", "beta."])}kubernetes.io/${rng.pick(["os", "arch"])}`,
    label: drawnEnding("release", "track", "stage", "version", "role"),
    value: drawnWord,
  },
  ...onDeployment,
  async place(context) {
    const { topologyKey, label, value } = context.parameters;
    const { selector = {} } = context.environment.workloads[context.target] ?? {};
    const labelSelector = { matchLabels: { ...selector, [label]: value } };
    await patchTemplate(context, {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }],
        },
      },
    });
  },
});
