import {
  affectedObjects,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  endPods,
  isRolledOut,
  keepsData,
  offeredWorkloads,
  type Remedy,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  restartTarget,
  roleEntryFault,
  targetName,
  waitingPods,
  withObject,
  z,
} from "@microremed/catalogue";
import { refusedInit } from "./evidence.ts";
import { readable, reader, readerRole, settingsObjects, settingsOf } from "./settings.ts";

const right = roleEntryFault({ role: reader, list: "resources", entries: readable, taken: "configmaps" });

const setAndRestart: Remedy = {
  name: "set-and-restart",
  doc: "the expert's fix: the account may read ConfigMaps again, and the pods start again at once",
  commands: (context) => [right.giveBackCommand(context), ...restartTarget(context)],
};

const applyAndDelete: Remedy = {
  name: "apply-and-delete-pods",
  doc: "applies the Role as it was and replaces the pods that wait",
  commands: (context) => [
    ...withObject(context, "apply", readerRole()),
    ...deletePods.commands(context),
    awaitRollout(context),
  ],
};

const otherResource: Remedy = {
  name: "other-resource",
  doc: "lets the account read endpoints, for which nothing asks",
  commands: (context) => [right.addCommand(context, "endpoints"), ...restartTarget(context)],
};

const otherVerb: Remedy = {
  name: "other-verb",
  doc: "lets the account list what it may get anyway",
  commands: (context) => [right.addCommand(context, "list", "verbs"), ...restartTarget(context)],
};

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Virtualization",
  faultType: "Authentication Issue",
};

const allowAgain: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get pods`,
  act: ({ namespace, target, finding }) => ({
    title: `Let the pods of ${target} read what they need to start`,
    commands: [
      right.mendCommand({ namespace }, finding),
      `kubectl -n ${namespace} rollout restart deployment/${target}`,
      `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
    ],
  }),
};

/** The account of the target's pods may not read ConfigMaps any more, which an init container of theirs does. */
export default defineFault({
  name: "rbac-init-forbidden",
  title: "Init container without its right",
  description: "rbac-init-forbidden: the service's pods do not start",
  parameters: z.object({}),
  withoutDraw: "agents may change a Role of one name alone, and the init container asks for one resource",
  withoutTwin: "the Role is there for the fault alone, and change logs leave Roles out",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }, environment) => {
    if (workload.kind !== "Deployment") return `${name} is no Deployment`;
    return keepsData(environment, name) ? `${name} keeps data, which a new pod may not have` : undefined;
  }),
  setting: settingsObjects,
  isSettled: (context) => isRolledOut(context, targetName(context)),
  async inject(context) {
    if (await right.isTaken(context)) return;
    await right.take(context);
    await endPods(context);
  },
  async status(context) {
    const isWrong = await right.isTaken(context);
    const pods = await waitingPods(context);
    return {
      present: isWrong,
      injected: isWrong && pods.length > 0,
      pods,
      expiresAt: null,
      note: `the Role ${reader} ${isWrong ? "lacks" : "has"} ConfigMaps; pods of ${context.target} that wait: ${pods.length}`,
    };
  },
  remove: async (context) => {
    if (await right.isTaken(context)) await right.giveBack(context);
  },
  truth: (context) => ({
    objects: [right.object],
    affected: [{ kind: "Role", name: reader }, ...affectedObjects(context)],
    ...labels,
    explanation: `the account of the pods of ${context.target} may not read the ConfigMap ${settingsOf(context)}, which their first init container does, so that they do not start`,
  }),
  repairs: [setAndRestart, applyAndDelete],
  runbook: allowAgain,
  evidence: refusedInit(labels),
  shortcuts: [otherResource, otherVerb, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
});
