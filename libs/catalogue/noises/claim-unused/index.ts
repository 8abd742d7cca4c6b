import { createOnce, defineNoise, drawnName, isThere, kinds, objectName, z } from "@microremed/catalogue";

const parameters = z.object({
  claim: objectName.default("old-exports").describe("name of the claim"),
  sizeGi: z.int().min(1).max(20).default(1),
});

export default defineNoise({
  name: "claim-unused",
  title: "A claim that no pod mounts",
  description: "A claim for a volume was made beside the system. No pod mounts it.",
  parameters,
  drawn: {
    claim: drawnName("data", "logs", "claim", "pvc", "store"),
    sizeGi: (rng) => 1 + rng.int(9),
  },
  decoys: ({ parameters: { claim } }) => [{ kind: "PersistentVolumeClaim", name: claim }],
  place: (context) =>
    createOnce(context, {
      ...kinds.persistentVolumeClaim,
      metadata: { name: context.parameters.claim },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: `${context.parameters.sizeGi}Gi` } },
      },
    }),
  isSettled: (context) => isThere(context, kinds.persistentVolumeClaim, context.parameters.claim),
});
