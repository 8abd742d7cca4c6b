import {
  type FaultContext,
  type KubeObject,
  kinds,
  objectName,
  parametersOf,
  scriptContainer,
  type TruthContext,
  targetName,
  z,
} from "@microremed/catalogue";

/** What it and its containers are called. */
export const parameters = z.object({
  job: z
    .string()
    .regex(/^[a-z]{1,12}$/)
    .default("report")
    .describe("what the CronJob writes; its name is `report-of-<workload>`"),
  sidecar: objectName.default("log-shipper").describe("name of the container beside the one that writes"),
});
type Context = TruthContext & Pick<FaultContext, "parameters">;

/** `report-of-cart`. */
export const cronJobName = (context: Context): string =>
  `${parametersOf(parameters, context).job}-of-${targetName(context)}`;

/** Name of the container beside the one that writes the report. */
export const sidecarOf = (context: Pick<FaultContext, "parameters">): string =>
  parametersOf(parameters, context).sidecar;

const shipper = (name: string) => scriptContainer(name, "while true; do sleep 1; done");
const reporter = scriptContainer("report", "echo 'collecting'; sleep 3; echo 'report of 1 minute written'");

/** What runs beside one another in its pods: as Kubernetes says of sidecars, or as two programs of the same rank. */
export const containersOf = (sidecar: string, isSidecar: boolean) =>
  isSidecar
    ? { initContainers: [{ ...shipper(sidecar), restartPolicy: "Always" }], containers: [reporter] }
    : { containers: [reporter, shipper(sidecar)] };

/** A CronJob that reports on the target every minute, never twice at a time. */
export function cronJobOf(context: Context): KubeObject {
  const name = cronJobName(context);
  return {
    ...kinds.cronJob,
    metadata: { name, labels: { app: name }, ...(context.namespace && { namespace: context.namespace }) },
    spec: {
      schedule: "* * * * *",
      concurrencyPolicy: "Forbid",
      jobTemplate: {
        spec: {
          backoffLimit: 1,
          template: {
            metadata: { labels: { app: name } },
            spec: { restartPolicy: "Never", ...containersOf(sidecarOf(context), true) },
          },
        },
      },
    },
  };
}

interface PodTemplate {
  readonly containers: readonly { readonly name: string }[];
  readonly initContainers?: readonly { readonly name: string }[];
}

/** The pod template within a CronJob, as it is. */
export const templateOf = (cronJob: KubeObject | undefined): PodTemplate | undefined =>
  (cronJob?.["spec"] as { jobTemplate: { spec: { template: { spec: PodTemplate } } } } | undefined)
    ?.jobTemplate.spec.template.spec;

/** Jobs that the CronJob has made, the newest first. */
export async function jobsOf(context: FaultContext): Promise<KubeObject[]> {
  const name = cronJobName(context);
  const jobs = await context.cluster.list(kinds.job, { namespace: context.namespace });
  return jobs
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some((one) => one.kind === "CronJob" && one.name === name),
    )
    .toSorted((a, b) => startedAt(b) - startedAt(a));
}

interface JobStatus {
  readonly active?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
}

export const statusOf = (job: KubeObject): JobStatus => (job["status"] ?? {}) as JobStatus;

/** Cluster time, ms; 0: not yet. */
export const startedAt = (job: KubeObject): number => Date.parse(statusOf(job).startTime ?? "") || 0;
