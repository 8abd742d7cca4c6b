import {
  between,
  createOnce,
  defineNoise,
  drawnName,
  isThere,
  kinds,
  objectName,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  quota: objectName.default("team-quota").describe("name of the ResourceQuota"),
  configMaps: z
    .int()
    .min(200)
    .max(5000)
    .default(500)
    .describe("that the namespace may have: many more than there are"),
});

export default defineNoise({
  name: "quota-with-room",
  title: "A quota with room",
  description:
    "The namespace got a ResourceQuota for ConfigMaps, of which it has far fewer. Pods are not counted.",
  parameters,
  changes: ["spec.hard"],
  drawn: { quota: drawnName("quota", "budget", "limits", "share"), configMaps: between(200, 2_000) },
  decoys: ({ parameters: { quota } }) => [{ kind: "ResourceQuota", name: quota }],
  place: (context) =>
    createOnce(context, {
      ...kinds.resourceQuota,
      metadata: { name: context.parameters.quota },
      spec: { hard: { configmaps: String(context.parameters.configMaps) } },
    }),
  isSettled: (context) => isThere(context, kinds.resourceQuota, context.parameters.quota),
});
