import {
  containerName,
  createOnce,
  defineNoise,
  drawnName,
  drawnWord,
  jobHas,
  ownWord,
  scriptContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  job: z.string().min(1).max(50).default("data-migration").describe("name of the Job"),
  container: containerName.default("migrate").describe("name of its container"),
  line: z
    .string()
    .regex(/^[\w .,:()-]{1,100}$/)
    .default("migration 0042: lock is held by another run")
    .describe("what it prints"),
});

export default defineNoise({
  name: "failed-job",
  title: "A Job that failed",
  description:
    "A maintenance Job failed once and was left there, with its pod in Error. No service needs it.",
  parameters,
  drawn: {
    container: drawnWord,
    line: (rng, where) => {
      const [one, other] = [ownWord(rng, where), drawnWord(rng)];
      return rng.pick([
        `step ${1 + rng.int(90)}: lock of ${one} is held by another run`,
        `${one}: ${1 + rng.int(900)} of ${1_000 + rng.int(9_000)} rows refused by ${other}`,
        `no answer of ${other} within ${5 + rng.int(55)} s`,
        `${other} ${1 + rng.int(9)}.${rng.int(30)} wants a newer schema of ${one}`,
      ]);
    },
    job: drawnName("migration", "import", "backfill", "reindex", "cleanup", "sync", "seed"),
  },
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
                context.parameters.container,
                `echo '${context.parameters.line}'; echo 'giving up'; sleep 2; exit 1`,
              ),
            ],
          },
        },
      },
    }),
  isSettled: (context) => jobHas(context, context.parameters.job, "Failed"),
});
