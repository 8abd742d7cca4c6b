import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnName,
  endPods,
  noSuchObject,
  offeredWorkloads,
  podsOf,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  targetName,
  webhooksOf,
} from "@microremed/catalogue";
import { filledInLimits } from "./evidence.ts";
import { type Context, parameters } from "./parameters.ts";
import { isInPlace, policyObjects } from "./policies.ts";
import {
  awayForAMoment,
  deleteConfiguration,
  otherMemory,
  otherWebhookOnly,
  ownLimits,
  removeWebhook,
  selectOthers,
  webhookAlone,
  withoutServer,
} from "./remedies.ts";
import { configurationName, configurationOf, kind, podsOfTarget, webhookName } from "./webhooks.ts";

/** Programs that need less could live on what the policy gives. */
const leastMi = 18;

const labels: CauseLabels = {
  mechanism: "resources-too-small",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

/** Names of the target's pods to which something has given a memory limit. */
async function limitedPods(context: Context): Promise<string[]> {
  return (await podsOf(context)).flatMap(({ metadata, spec }) =>
    !metadata.deletionTimestamp && spec?.containers[0]?.resources?.limits?.["memory"] !== undefined
      ? [metadata.name]
      : [],
  );
}

const isThere = async (context: Context): Promise<boolean> =>
  (await context.cluster.get(kind, undefined, configurationName(context))) !== undefined;

const removeFound: Runbook = {
  observe: () => "kubectl get mutatingwebhookconfigurations -o name",
  act: ({ namespace, target, finding }) => {
    const configuration = finding?.object.name ?? webhooksOf(namespace);
    const path = `mutatingwebhookconfiguration ${configuration}`;
    const [, webhook] = /^webhooks\[name=([^\]]+)\]/.exec(finding?.field ?? "") ?? [];
    const names = `kubectl get ${path} -o jsonpath='{range .webhooks[*]}{.name}{"\\n"}{end}'`;
    const takeAway =
      webhook === undefined
        ? [`kubectl delete ${path} --ignore-not-found`]
        : [
            `at=$(${names} | grep -nx '${webhook}' | cut -d: -f1)`,
            `kubectl patch ${path} --type=json -p "[{\\"op\\":\\"remove\\",\\"path\\":\\"/webhooks/$((at - 1))\\"}]"`,
          ];
    return {
      title: `Take away the webhook that gives pods of ${target} too little memory`,
      commands: [
        ...takeAway,
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    };
  },
};

/** A webhook is asked about the pods of a workload for which its policy is not meant, and gives them too little memory. */
export default defineFault({
  name: "mutating-webhook-shrinks-memory",
  title: "Webhook that gives new pods too little memory",
  description: "mutating-webhook-shrinks-memory: the programs of the service are killed again and again",
  parameters,
  drawn: {
    // The API server writes a multiple of 1024 with the next unit.
    memory: (rng) => `${9217 + rng.int(6) * 1024 + rng.int(1023)}Ki`,
    server: drawnName("policies", "admission", "guard", "policy", "gatekeeper"),
    policy: drawnName("limits", "defaults", "bounds", "sizes"),
  },
  withoutTwin: "an arena may have one configuration of such webhooks, that of the fault",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload, container }) => {
    if (workload.kind !== "Deployment") return `${name} is no Deployment`;
    if (workload.containers[0] !== container) return `the program of ${name} is not its first container`;
    return container.behaviour.memoryMi < leastMi ? `${name} needs hardly any memory` : undefined;
  }),
  setting: policyObjects,
  isSettled: isInPlace,
  async inject(context) {
    await context.cluster.apply(await configurationOf(context));
    await endPods(context);
  },
  async status(context) {
    const [isAsked, pods] = [await isThere(context), await limitedPods(context)];
    return {
      present: isAsked || pods.length > 0,
      injected: isAsked && pods.length > 0,
      pods,
      expiresAt: null,
      note: `there is ${isAsked ? "a" : "no"} ${kind.kind} ${configurationName(context)}; pods of ${targetName(context)} with its limit: ${pods.length}`,
    };
  },
  async remove(context) {
    await context.cluster.delete(kind, undefined, configurationName(context));
    if ((await limitedPods(context)).length > 0) await endPods(context);
  },
  truth: (context) => {
    const name = configurationName(context);
    const webhook = webhookName(context);
    return {
      // Who names the webhook or its configuration as a whole has found it too.
      objects: [
        {
          field: `webhooks[name=${webhook}].objectSelector`,
          wrong: JSON.stringify(podsOfTarget(context)),
        },
        { field: `webhooks[name=${webhook}]`, wrong: "there is one" },
        { field: "", wrong: "there is one" },
      ].map((one) => ({ kind: kind.kind, name, ...one, right: noSuchObject })),
      affected: [{ kind: kind.kind, name }, ...affectedObjects(context)],
      ...labels,
      explanation: `the webhook ${webhook} is asked about new pods of ${context.target}, and its policy limits them to ${context.parameters.memory} of memory, so they are killed as soon as they start`,
    };
  },
  repairs: [removeWebhook, deleteConfiguration, selectOthers],
  runbook: removeFound,
  evidence: filledInLimits(labels),
  shortcuts: [
    webhookAlone,
    otherWebhookOnly,
    ownLimits,
    otherMemory,
    withoutServer,
    awayForAMoment,
    restartEverything,
    deletePods,
  ],
  notShortcuts: restartingShortcuts,
});
