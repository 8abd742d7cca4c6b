import {
  containerName,
  createOnce,
  defineNoise,
  drawnName,
  drawnWord,
  jobHas,
  kinds,
  ownWord,
  scriptContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  cronJob: z.string().min(1).max(50).default("nightly-report").describe("name of the CronJob"),
  container: containerName.default("report").describe("name of its container"),
  line: z
    .string()
    .regex(/^[\w .,:()-]{1,100}$/)
    .default("report of 1 day written")
    .describe("what it prints"),
});

export default defineNoise({
  name: "finished-cron-job",
  title: "A CronJob with a finished run",
  description: "A nightly CronJob was run by hand once. The pod of that run is Completed and was left there.",
  parameters,
  logs: ["created", "created"],
  drawn: {
    container: drawnWord,
    line: (rng, where) =>
      `${ownWord(rng, where)}: ${1 + rng.int(5_000)} records of ${drawnWord(rng)} written in ${1 + rng.int(90)} s`,
    cronJob: drawnName("report", "digest", "export", "mailer", "purge", "backup", "rollup"),
  },
  decoys: ({ parameters: { cronJob } }) => [
    { kind: "CronJob", name: cronJob },
    { kind: "Job", name: runOf(cronJob) },
  ],
  async place(context) {
    const { cluster, namespace } = context;
    const { cronJob: name, container, line } = context.parameters;
    const labels = { app: name };
    const template = {
      metadata: { labels },
      spec: {
        restartPolicy: "Never",
        containers: [scriptContainer(container, `echo 'collecting'; sleep 3; echo '${line}'`)],
      },
    };
    const jobSpec = { backoffLimit: 1, template };
    await createOnce(context, {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name },
      // Suspended: a run at three at night would come or not, as the cluster's clock has it.
      spec: { schedule: "0 3 * * *", suspend: true, jobTemplate: { spec: jobSpec } },
    });
    const owner = await cluster.get(kinds.cronJob, namespace, name);
    const uid = owner?.metadata.uid ?? "";
    await createOnce(context, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: runOf(name),
        annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
        ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name, uid, controller: true }],
      } as never,
      spec: jobSpec,
    });
  },
  isSettled: (context) => jobHas(context, runOf(context.parameters.cronJob), "Complete"),
});

const runOf = (cronJob: string): string => `${cronJob}-manual`;
