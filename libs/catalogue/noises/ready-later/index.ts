import { between, defineNoise, onDeclaredWorkload, patchWorkload, z } from "@microremed/catalogue";

const parameters = z.object({
  seconds: z.int().min(1).max(15).default(5).describe("how long a new pod must be ready before it counts"),
});

export default defineNoise({
  name: "ready-later",
  title: "Pods that count a little later",
  description:
    "New pods of a workload must be ready for a few seconds before the next rollout goes on. Nothing is rolled out, and no pod is restarted.",
  parameters,
  changes: ["spec.minReadySeconds"],
  drawn: { seconds: between(2, 12) },
  ...onDeclaredWorkload("Deployment", "StatefulSet"),
  place: (context) => patchWorkload(context, { minReadySeconds: context.parameters.seconds }),
});
