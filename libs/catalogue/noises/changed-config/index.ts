import { createOnce, defineNoise, drawnName, drawnWord, isThere, kinds, z } from "@microremed/catalogue";

const parameters = z.object({
  configMap: z.string().min(1).max(50).default("feature-flags").describe("name of the ConfigMap"),
  flag: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/)
    .default("new-banner")
    .describe("what was switched on"),
});

export default defineNoise({
  name: "changed-config",
  title: "A changed ConfigMap that nothing reads",
  description: "A ConfigMap was created and changed. No pod mounts it and no program reads it.",
  parameters,
  changes: ["data"],
  drawn: {
    configMap: drawnName("settings", "texts", "plan", "experiments", "rules", "notes", "config"),
    flag: (rng) => `${drawnWord(rng)}-${drawnWord(rng)}`,
  },
  decoys: ({ parameters: { configMap } }) => [{ kind: "ConfigMap", name: configMap }],
  async place(context) {
    const { cluster, namespace } = context;
    const { configMap: name, flag } = context.parameters;
    await createOnce(context, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data: { [flag]: "off", locale: "en" },
    });
    const body = { data: { [flag]: "on" } };
    await cluster.patch(kinds.configMap, namespace, name, { type: "merge", body });
  },
  isSettled: (context) => isThere(context, kinds.configMap, context.parameters.configMap),
});
