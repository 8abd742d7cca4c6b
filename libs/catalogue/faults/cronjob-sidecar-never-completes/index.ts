import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnName,
  type FaultContext,
  kinds,
  kubectl,
  offeredWorkloads,
  patchCommand,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  waitFor,
  withObject,
} from "@microremed/catalogue";
import {
  containersOf,
  cronJobName,
  cronJobOf,
  jobsOf,
  parameters,
  sidecarOf,
  startedAt,
  statusOf,
  templateOf,
} from "./cron-job.ts";
import { sidecarThatStays } from "./evidence.ts";

const kind = kinds.cronJob;
const templatePath = "/spec/jobTemplate/spec/template/spec";
/** Cluster time, ms, until a run is due and has been late: a minute, and what a run takes at most. */
const dueWithinMs = 180_000;
const lateMs = 45_000;
/** Cluster time, ms: the collector deletes the pods of a Job that is gone, and each may take its time to end. */
const endedWithinMs = 90_000;

/** Whether two programs of the same rank are in the pods. */
const isStuck = (template: ReturnType<typeof templateOf>): boolean => (template?.containers.length ?? 0) > 1;

const cronJob = ({ cluster, namespace, ...context }: FaultContext) =>
  cluster.get(kind, namespace, cronJobName({ ...context, namespace }));

/** Operations that make the log shipper a sidecar, or one of two programs. */
function operations(context: Pick<FaultContext, "parameters">, isSidecar: boolean) {
  const { containers, initContainers } = {
    initContainers: undefined,
    ...containersOf(sidecarOf(context), isSidecar),
  };
  return [
    { op: "add" as const, path: `${templatePath}/containers`, value: containers },
    initContainers
      ? { op: "add" as const, path: `${templatePath}/initContainers`, value: initContainers }
      : { op: "remove" as const, path: `${templatePath}/initContainers` },
  ];
}

/** A Job of the CronJob whose pod has both containers, and which has not ended. */
const stuckJobs = async (context: FaultContext) =>
  (await jobsOf(context)).filter((job) => {
    const template = (job["spec"] as { template?: { spec?: ReturnType<typeof templateOf> } }).template?.spec;
    return (statusOf(job).active ?? 0) > 0 && isStuck(template);
  });

async function status(context: FaultContext) {
  const isWrong = isStuck(templateOf(await cronJob(context)));
  const stuck = await stuckJobs(context);
  return {
    present: isWrong || stuck.length > 0,
    injected: isWrong && stuck.length > 0,
    pods: [],
    expiresAt: null,
    note: `the CronJob ${cronJobName(context)} has ${isWrong ? "two programs in its pods" : "a sidecar"}; Jobs that do not end: ${stuck.length}`,
  };
}

async function change(context: FaultContext, isSidecar: boolean): Promise<void> {
  const name = cronJobName(context);
  const body = operations(context, isSidecar);
  await context.cluster.patch(kind, context.namespace, name, { type: "json", body });
}

/** Waits until a run is due that does not end, for so long that it is late. */
async function inject(context: FaultContext): Promise<void> {
  const { cluster, signal } = context;
  if (!isStuck(templateOf(await cronJob(context)))) await change(context, false);
  await waitFor(
    {
      clock: cluster.clock,
      what: `a run of ${cronJobName(context)} to be late`,
      timeoutMs: dueWithinMs,
      intervalMs: 2_000,
      ...(signal && { signal }),
    },
    async () => {
      const now = await cluster.clock.now();
      const late = (await stuckJobs(context)).some((job) => now - startedAt(job) > lateMs);
      return late || undefined;
    },
  );
}

async function remove(context: FaultContext): Promise<void> {
  const { cluster, namespace, signal } = context;
  if (isStuck(templateOf(await cronJob(context)))) await change(context, true);
  const names = (await stuckJobs(context)).map(({ metadata }) => metadata.name);
  for (const name of names) await cluster.delete(kinds.job, namespace, name);
  await waitFor(
    {
      clock: cluster.clock,
      what: `the pods of ${names.join(", ")} to end`,
      timeoutMs: endedWithinMs,
      intervalMs: 1_000,
      ...(signal && { signal }),
    },
    async () => {
      const pods = await cluster.list(kinds.pod, { namespace });
      const left = pods.some(({ metadata }) =>
        metadata.ownerReferences?.some(({ kind: of, name }) => of === "Job" && names.includes(name)),
      );
      return left ? undefined : true;
    },
  );
}

const deleteRuns = (context: RemedyContext): string =>
  `${kubectl(context)} delete jobs $(${kubectl(context)} get cronjob ${cronJobName(context)} -o jsonpath='{.status.active[*].name}') --ignore-not-found`;

const sidecarAgain: Remedy = {
  name: "sidecar-again",
  doc: "the expert's fix: makes the log shipper a sidecar, which ends with the report, and deletes the Job that does not end",
  commands: (context) => [
    patchCommand(context, kind, cronJobName(context), operations(context, true)),
    deleteRuns(context),
  ],
};

const replaceAll: Remedy = {
  name: "replace-all",
  doc: "deletes the CronJob with its Jobs and makes it as it was",
  commands: (context) => [
    `${kubectl(context)} delete cronjob ${cronJobName(context)}`,
    ...withObject(context, "create", cronJobOf(context)),
  ],
};

const deleteJobs: Remedy = {
  name: "delete-jobs",
  doc: "deletes the Job that does not end: the next one does not either",
  commands: (context) => [deleteRuns(context)],
};

const sidecarAlone: Remedy = {
  name: "sidecar-alone",
  doc: "makes the log shipper a sidecar, and leaves the Job that does not end: no other one may start beside it",
  commands: (context) => [patchCommand(context, kind, cronJobName(context), operations(context, true))],
};

const suspend: Remedy = {
  name: "suspend",
  doc: "suspends the CronJob: no run is due any more",
  commands: (context) => [
    patchCommand(context, kind, cronJobName(context), [{ op: "add", path: "/spec/suspend", value: true }]),
    deleteRuns(context),
  ],
};

const deleteCronJob: Remedy = {
  name: "delete-cron-job",
  doc: "deletes the CronJob",
  commands: (context) => [`${kubectl(context)} delete cronjob ${cronJobName(context)}`],
};

const labels: CauseLabels = {
  mechanism: "never-completes",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const makeSidecar: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get cronjobs,jobs`,
  act: ({ namespace, target, finding }) => {
    const name = finding?.object.name ?? `report-of-${target}`;
    const of = finding?.wrong ?? "log-shipper";
    const template = ".spec.jobTemplate.spec.template.spec";
    const moved = `${template} |= (.initContainers = [.containers[] | select(.name == $of) | .restartPolicy = "Always"] | .containers |= map(select(.name != $of)))`;
    return {
      title: `Let ${of} end with the program that it serves`,
      commands: [
        `kubectl -n ${namespace} get cronjob ${name} -o json | jq --arg of ${of} '${moved}' | kubectl -n ${namespace} replace -f -`,
        `kubectl -n ${namespace} delete jobs $(kubectl -n ${namespace} get cronjob ${name} -o jsonpath='{.status.active[*].name}') --ignore-not-found`,
      ],
    };
  },
};

/** A CronJob's pods have a program beside the one that works, which never ends: neither does the Job, and no other may start. */
export default defineFault({
  name: "cronjob-sidecar-never-completes",
  title: "Job that never ends, for its sidecar",
  description: "cronjob-sidecar-never-completes: the reports on the service are not written any more",
  parameters,
  drawn: {
    job: (rng) =>
      rng.pick(["audit", "backup", "billing", "cleanup", "digest", "export", "rollup", "summary"]),
    sidecar: drawnName("shipper", "agent", "collector", "forwarder", "proxy"),
  },
  withoutTwin: "no environment has a CronJob: that of the fault is there for it alone",
  symptom: "jobs",
  recovery: ["ready", "serving", "jobs"],
  rightActions: [],
  ...offeredWorkloads(),
  setting: (context) => [cronJobOf(context)],
  isSettled: async (context) =>
    (await jobsOf(context)).some((job) => statusOf(job).completionTime !== undefined),
  inject,
  status,
  remove,
  truth: (context) => {
    const cause = { kind: kind.kind, name: cronJobName(context) };
    const { sidecar } = context.parameters;
    const field = `spec.jobTemplate.spec.template.spec.containers[name=${sidecar}]`;
    return {
      objects: [{ ...cause, field, wrong: sidecar, right: "none" }],
      affected: [cause, ...affectedObjects(context)],
      ...labels,
      explanation: `in the pods of the CronJob ${cause.name} the container ${sidecar} runs on after the report is written, so that the Job never ends and no other one may start`,
    };
  },
  repairs: [sidecarAgain, replaceAll],
  runbook: makeSidecar,
  evidence: sidecarThatStays(labels),
  shortcuts: [deleteJobs, sidecarAlone, suspend, deleteCronJob, restartEverything, deletePods],
});
