import {
  awaitRollout,
  deletePods,
  jsonPatch,
  kinds,
  kubectl,
  parametersOf,
  patchCommand,
  type Remedy,
  type RemedyContext,
  restartTarget,
} from "@microremed/catalogue";
import { parameters } from "./parameters.ts";
import { policiesKey, policiesWith } from "./policies.ts";
import { configurationName, kind, podsOfClass } from "./webhooks.ts";

const patchWebhooks = (context: RemedyContext, operation: object): string =>
  patchCommand(context, kind, configurationName(context), [operation]);
const removeFirst = (context: RemedyContext): string =>
  patchWebhooks(context, { op: "remove", path: "/webhooks/0" });

export const removeWebhook: Remedy = {
  name: "remove-webhook",
  doc: "the expert's fix: takes the webhook out of its configuration, leaves the other one there, and restarts the workload",
  commands: (context) => [removeFirst(context), ...restartTarget(context)],
};

export const deleteConfiguration: Remedy = {
  name: "delete-configuration",
  doc: "deletes the whole configuration and restarts the workload",
  commands: (context) => [
    `kubectl delete mutatingwebhookconfiguration ${configurationName(context)}`,
    ...restartTarget(context),
  ],
};

export const selectOthers: Remedy = {
  name: "select-others",
  doc: "lets the webhook be asked about the pods that its policy is for, and deletes those of the workload",
  commands: (context) => [
    patchWebhooks(context, {
      op: "replace",
      path: "/webhooks/0/objectSelector",
      value: podsOfClass("batch"),
    }),
    ...deletePods.commands(context),
    awaitRollout(context),
  ],
};

export const webhookAlone: Remedy = {
  name: "webhook-alone",
  doc: "takes the webhook away and leaves the pods, which keep their limits",
  commands: (context) => [removeFirst(context)],
};

export const otherWebhookOnly: Remedy = {
  name: "other-webhook",
  doc: "takes the other webhook away and restarts the workload",
  commands: (context) => [
    patchWebhooks(context, { op: "remove", path: "/webhooks/1" }),
    ...restartTarget(context),
  ],
};

export const ownLimits: Remedy = {
  name: "own-limits",
  doc: "gives the workload limits of its own, which the policy refuses",
  commands: (context) => [
    jsonPatch(context, [
      {
        op: "add",
        path: "/spec/template/spec/containers/0/resources",
        value: { requests: { memory: "256Mi" }, limits: { memory: "512Mi" } },
      },
    ]),
    awaitRollout(context),
  ],
};

const restartServer = (context: RemedyContext): string[] => {
  const { server } = parametersOf(parameters, context);
  return [
    `${kubectl(context)} rollout restart deployment/${server}`,
    `${kubectl(context)} rollout status deployment/${server} --timeout=20s || echo "still rolling out"`,
  ];
};

export const otherMemory: Remedy = {
  name: "other-memory",
  doc: "lets the policy give half as much memory, and restarts its server and the workload",
  commands: (context) => {
    const own = parametersOf(parameters, context);
    const half = `${Math.floor(Number.parseInt(own.memory, 10) / 2)}${own.memory.slice(-2)}`;
    return [
      patchCommand(context, kinds.configMap, own.server, [
        { op: "replace", path: `/data/${policiesKey}`, value: policiesWith(own, half) },
      ]),
      ...restartServer(context),
      ...restartTarget(context),
    ];
  },
};

export const withoutServer: Remedy = {
  name: "without-server",
  doc: "scales the program that answers away, so that no pod is made",
  commands: (context) => [
    `${kubectl(context)} scale deployment/${parametersOf(parameters, context).server} --replicas=0`,
    ...restartTarget(context),
  ],
};

/** The pods are made while the webhook is asked about others, and it is as it was again. */
export const awayForAMoment: Remedy = {
  name: "away-for-a-moment",
  doc: "lets the webhook be asked about others while the pods are replaced, and about those of the workload again",
  commands: (context) => {
    const selector = (value: object): string =>
      patchWebhooks(context, { op: "replace", path: "/webhooks/0/objectSelector", value });
    return [
      selector(podsOfClass("batch")),
      ...deletePods.commands(context),
      awaitRollout(context),
      selector({ matchLabels: context.workload.selector }),
    ];
  },
};
