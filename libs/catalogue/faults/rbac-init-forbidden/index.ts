import {
  affectedObjects,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  endPods,
  type FaultContext,
  isRolledOut,
  keepsData,
  kinds,
  offeredWorkloads,
  patchCommand,
  type Remedy,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  restartTarget,
  waitingPods,
  withObject,
  z,
} from "@microremed/catalogue";
import { refusedInit } from "./evidence.ts";
import { nameOf, readable, reader, readerRole, settingsObjects, settingsOf } from "./settings.ts";

const kind = kinds.role;
const path = "/rules/0/resources";
const field = "rules[0].resources";
const lacking = readable.filter((resource) => resource !== "configmaps");

async function isLacking({ cluster, namespace }: FaultContext): Promise<boolean> {
  const role = await cluster.get(kind, namespace, reader);
  const [rule] = (role?.["rules"] ?? []) as readonly { readonly resources?: readonly string[] }[];
  return role !== undefined && !(rule?.resources?.includes("configmaps") ?? false);
}

const allow = ({ cluster, namespace }: FaultContext, value: readonly string[]) =>
  cluster.patch(kind, namespace, reader, { type: "json", body: [{ op: "replace", path, value }] });

const setAndRestart: Remedy = {
  name: "set-and-restart",
  doc: "the expert's fix: the account may read ConfigMaps again, and the pods start again at once",
  commands: (context) => [
    patchCommand(context, kind, reader, [{ op: "replace", path, value: readable }]),
    ...restartTarget(context),
  ],
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
  commands: (context) => [
    patchCommand(context, kind, reader, [{ op: "add", path: `${path}/-`, value: "endpoints" }]),
    ...restartTarget(context),
  ],
};

const otherVerb: Remedy = {
  name: "other-verb",
  doc: "lets the account list what it may get anyway",
  commands: (context) => [
    patchCommand(context, kind, reader, [{ op: "add", path: "/rules/0/verbs/-", value: "list" }]),
    ...restartTarget(context),
  ],
};

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Virtualization",
  faultType: "Authentication Issue",
};

const allowAgain: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get pods`,
  act: ({ namespace, target, finding }) => {
    const name = finding?.object.name ?? reader;
    const at = `/${(finding?.field ?? field).replaceAll(/\[(\d+)\]\./g, "/$1/")}`;
    const value: unknown = JSON.parse(finding?.right ?? JSON.stringify(readable));
    return {
      title: `Let the pods of ${target} read what they need to start`,
      commands: [
        patchCommand({ namespace }, kind, name, [{ op: "replace", path: at, value }]),
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    };
  },
};

/** The account of the target's pods may not read ConfigMaps any more, which an init container of theirs does. */
export default defineFault({
  name: "rbac-init-forbidden",
  title: "Init container without its right",
  description: "rbac-init-forbidden: the service's pods do not start",
  parameters: z.object({}),
  withoutDraw: "agents may change a Role of one name alone, and the init container asks for one resource",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }, environment) => {
    if (workload.kind !== "Deployment") return `${name} is no Deployment`;
    return keepsData(environment, name) ? `${name} keeps data, which a new pod may not have` : undefined;
  }),
  setting: settingsObjects,
  isSettled: (context) => isRolledOut(context, nameOf(context)),
  async inject(context) {
    if (await isLacking(context)) return;
    await allow(context, lacking);
    await endPods(context);
  },
  async status(context) {
    const isWrong = await isLacking(context);
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
    if (await isLacking(context)) await allow(context, readable);
  },
  truth: (context) => {
    const cause = { kind: kind.kind, name: reader };
    return {
      objects: [{ ...cause, field, wrong: JSON.stringify(lacking), right: JSON.stringify(readable) }],
      affected: [cause, ...affectedObjects(context)],
      ...labels,
      explanation: `the account of the pods of ${context.target} may not read the ConfigMap ${settingsOf(context)}, which their first init container does, so that they do not start`,
    };
  },
  repairs: [setAndRestart, applyAndDelete],
  runbook: allowAgain,
  evidence: refusedInit(labels),
  shortcuts: [otherResource, otherVerb, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
});
