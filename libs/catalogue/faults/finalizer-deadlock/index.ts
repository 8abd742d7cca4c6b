import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  type FaultContext,
  kinds,
  kubectl,
  lastSuccessOf,
  offeredWorkloads,
  patchCommand,
  type Remedy,
  type Runbook,
  restartEverything,
  roleEntryFault,
  waitFor,
  withObject,
  z,
} from "@microremed/catalogue";
import {
  archiveName,
  archiveObjects,
  cleaner,
  cleanerRole,
  cleanerVerbs,
  rewrittenArchive,
} from "./archive.ts";
import { missingVerb } from "./evidence.ts";

const right = roleEntryFault({ role: cleaner, list: "verbs", entries: cleanerVerbs, taken: "patch" });
/** Cluster time, ms, until a run is due and has been late: a minute, and what a run takes at most. */
const lateWithinMs = 180_000;
const lateMs = 50_000;
/** Cluster time, ms, that the controller takes at most for what it may let go again. */
const releasedWithinMs = 30_000;

const archive = ({ cluster, namespace, ...context }: FaultContext) =>
  cluster.get(kinds.configMap, namespace, archiveName({ ...context, namespace }));

/** Cluster time, ms, at which the archive was deleted; undefined: it is not being deleted. */
async function deletedAt(context: FaultContext): Promise<number | undefined> {
  const time = (await archive(context))?.metadata.deletionTimestamp;
  return time === undefined ? undefined : Date.parse(time);
}

const waiting = ({ cluster, signal }: FaultContext, what: string, timeoutMs: number) => ({
  clock: cluster.clock,
  what,
  timeoutMs,
  intervalMs: 1_000,
  ...(signal && { signal }),
});

const setVerbs: Remedy = {
  name: "set-verbs",
  doc: "the expert's fix: the controller may change ConfigMaps again, and lets go what waits for it",
  commands: (context) => [right.giveBackCommand(context)],
};

const applyRole: Remedy = {
  name: "apply-role",
  doc: "applies the controller's Role as it was",
  commands: (context) => withObject(context, "apply", cleanerRole()),
};

const stripFinalizer: Remedy = {
  name: "strip-finalizer",
  doc: "takes the finalizer off by hand: the clean-up is skipped, and the next archive waits again",
  commands: (context) => [
    patchCommand(context, kinds.configMap, archiveName(context), [
      { op: "remove", path: "/metadata/finalizers" },
    ]),
  ],
};

const restartController: Remedy = {
  name: "restart-controller",
  doc: "restarts the controller, which may do no more than before",
  commands: (context) => [`${kubectl(context)} rollout restart deployment/${cleaner}`],
};

const otherVerb: Remedy = {
  name: "other-verb",
  doc: "lets the controller update ConfigMaps as a whole, which it does not do",
  commands: (context) => [right.addCommand(context, "update")],
};

const suspend: Remedy = {
  name: "suspend",
  doc: "suspends the CronJob: no archive is due any more",
  commands: (context) => [
    patchCommand(context, kinds.cronJob, archiveName(context), [
      { op: "add", path: "/spec/suspend", value: true },
    ]),
  ],
};

const labels: CauseLabels = {
  mechanism: "never-completes",
  systemLevel: "Virtualization",
  faultType: "Authentication Issue",
};

const allowAgain: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps,cronjobs`,
  act: ({ namespace, finding }) => ({
    title: `Let ${finding?.object.name ?? cleaner} do its work again`,
    commands: [right.mendCommand({ namespace }, finding)],
  }),
};

/** A controller may not take its finalizer off any more: what is deleted stays, and nothing of its name can be made. */
export default defineFault({
  name: "finalizer-deadlock",
  title: "Deletion that waits for a finalizer for ever",
  description: "finalizer-deadlock: the archive of the service's state is not written any more",
  parameters: z.object({}),
  withoutDraw:
    "agents may change a Role of one name alone, and the controller needs one verb more than to read",
  withoutTwin: "the Role is there for the fault alone, and change logs leave Roles out",
  symptom: "jobs",
  recovery: ["ready", "serving", "jobs"],
  rightActions: [],
  ...offeredWorkloads(),
  setting: archiveObjects,
  rewritten: rewrittenArchive,
  isSettled: async ({ cluster, namespace, ...context }) => {
    const cronJob = await cluster.get(kinds.cronJob, namespace, archiveName({ ...context, namespace }));
    return lastSuccessOf(cronJob) !== undefined;
  },
  async inject(context) {
    if (!(await right.isTaken(context))) await right.take(context);
    const { clock } = context.cluster;
    const what = `the deletion of ${archiveName(context)} to be late`;
    await waitFor(waiting(context, what, lateWithinMs), async () => {
      const since = await deletedAt(context);
      return (since !== undefined && (await clock.now()) - since > lateMs) || undefined;
    });
  },
  async status(context) {
    const isWrong = await right.isTaken(context);
    const isHeld = (await deletedAt(context)) !== undefined;
    return {
      present: isWrong,
      injected: isWrong && isHeld,
      pods: [],
      expiresAt: null,
      note: `the Role ${cleaner} ${isWrong ? "lacks" : "has"} the verb patch; the archive is ${isHeld ? "being deleted" : "not being deleted"}`,
    };
  },
  async remove(context) {
    if (!(await right.isTaken(context))) return;
    await right.giveBack(context);
    const what = `${archiveName(context)} to be let go`;
    const since = await deletedAt(context);
    await waitFor(
      waiting(context, what, releasedWithinMs),
      async () => (await deletedAt(context)) !== since || since === undefined || undefined,
    );
  },
  truth: (context) => {
    const name = archiveName(context);
    return {
      objects: [right.object],
      affected: [
        { kind: "Role", name: cleaner },
        { kind: "Deployment", name: cleaner },
        { kind: "ConfigMap", name },
        { kind: "CronJob", name },
        ...affectedObjects(context),
      ],
      ...labels,
      explanation: `${cleaner} may not change ConfigMaps any more, so that it cannot take its finalizer off ${name}, which stays in deletion while a new one of its name is due`,
    };
  },
  repairs: [setVerbs, applyRole],
  runbook: allowAgain,
  evidence: missingVerb(labels),
  shortcuts: [stripFinalizer, restartController, otherVerb, suspend, restartEverything, deletePods],
});
