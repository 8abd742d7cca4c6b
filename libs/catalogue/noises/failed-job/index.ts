import { createOnce, defineNoise, jobHas, scriptContainer, z } from "@microremed/catalogue";

const parameters = z.object({
  job: z.string().min(1).max(50).default("data-migration").describe("name of the Job"),
});

export default defineNoise({
  name: "failed-job",
  title: "A Job that failed",
  description:
    "A maintenance Job failed once and was left there, with its pod in Error. No service needs it.",
  parameters,
  variants: [
    { job: "reindex-orders" },
    { job: "backfill-prices" },
    { job: "cleanup-sessions" },
    { job: "import-partners" },
  ],
  decoys: ({ parameters: { job } }) => [{ kind: "Job", name: job }],
  place: (context) =>
    createOnce(context, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: context.parameters.job },
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { labels: { app: context.parameters.job } },
          spec: {
            restartPolicy: "Never",
            containers: [
              scriptContainer(
                "migrate",
                "echo 'migration 0042: lock is held by another run'; echo 'giving up'; sleep 2; exit 1",
              ),
            ],
          },
        },
      },
    }),
  isSettled: (context) => jobHas(context, context.parameters.job, "Failed"),
});
