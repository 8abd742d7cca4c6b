import { defineNoise, onDeclaredWorkload, patchWorkload, z } from "@microremed/catalogue";

const parameters = z.object({
  seconds: z
    .int()
    .min(601)
    .max(3600)
    .default(900)
    .describe("time that a rollout may take; 600 if nothing is said"),
});

export default defineNoise({
  name: "deadline-raised",
  title: "A rollout that may take longer",
  description:
    "A Deployment may take longer for its next rollout before it counts as stuck. Nothing is rolled out, and no pod is restarted.",
  parameters,
  changes: ["spec.progressDeadlineSeconds"],
  drawn: { seconds: (rng) => 615 + 15 * rng.int(80) },
  ...onDeclaredWorkload("Deployment"),
  place: (context) => patchWorkload(context, { progressDeadlineSeconds: context.parameters.seconds }),
});
