import {
  defineNoise,
  drawnName,
  drawnWord,
  objectName,
  onDeployment,
  patchTemplate,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  key: objectName.default("dedicated").describe("key of a taint that no node has"),
  value: objectName.default("batch").describe("value of that taint"),
});

export default defineNoise({
  name: "toleration-added",
  title: "Pods that tolerate a taint which no node has",
  description:
    "A Deployment was rolled out whose pods tolerate a taint, as if nodes were reserved for them. No node has it, and they may run on any.",
  parameters,
  changes: ["spec.template.spec.tolerations"],
  drawn: { key: drawnName("pool", "nodes", "dedicated", "group", "tier"), value: drawnWord },
  ...onDeployment,
  async place(context) {
    const { key, value } = context.parameters;
    await patchTemplate(context, {
      tolerations: [{ key, operator: "Equal", value, effect: "NoSchedule" }],
    });
  },
});
