import { between, defineNoise, onDeclaredWorkload, patchWorkload, z } from "@microremed/catalogue";

const parameters = z.object({
  kept: z.int().min(11).max(100).default(15).describe("old revisions that are kept; 10 if nothing is said"),
});

export default defineNoise({
  name: "history-raised",
  title: "More revisions that are kept",
  description:
    "A workload keeps more of its old revisions than before. Nothing is rolled out, and no pod is restarted.",
  parameters,
  changes: ["spec.revisionHistoryLimit"],
  drawn: { kept: between(11, 50) },
  ...onDeclaredWorkload("Deployment", "StatefulSet"),
  place: (context) => patchWorkload(context, { revisionHistoryLimit: context.parameters.kept }),
});
