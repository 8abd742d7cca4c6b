import {
  affectedObjects,
  anotherDeployment,
  type CauseLabels,
  defineFault,
  deletePods,
  endPods,
  type FaultContext,
  findWorkload,
  kinds,
  kubectl,
  namespaceOf,
  offeredWorkloads,
  patchCommand,
  type Remedy,
  type Runbook,
  refusedStatus,
  restartEverything,
  restartingShortcuts,
  restartTarget,
  restartWorkload,
  type TruthContext,
  targetOf,
  type WithParameters,
  webhooksOf,
  z,
} from "@microremed/catalogue";
import { unansweredWebhook } from "./evidence.ts";

const parameters = z.object({
  pods: z
    .enum(["namespace", "target"])
    .default("namespace")
    .describe("about which pods the webhook is to be asked: all of the namespace, or those of the target"),
  timeoutSeconds: z.int().min(1).max(30).default(10).describe("how long the API server would wait for it"),
});
type Context = FaultContext & WithParameters<z.output<typeof parameters>>;

const kind = kinds.validatingWebhook;
const service = "pod-policy";

const nameOf = (context: TruthContext): string => webhooksOf(namespaceOf(context));
const webhookOf = (context: TruthContext): string => `${service}.${namespaceOf(context)}.svc`;

function configuration(context: Context) {
  const { namespace, environment, target } = context;
  const { pods, timeoutSeconds } = context.parameters;
  const labels = targetOf(environment, target)?.workload.selector ?? {};
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: nameOf(context) },
    webhooks: [
      {
        name: webhookOf(context),
        clientConfig: { service: { namespace, name: service, path: "/validate", port: 443 } },
        rules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"], scope: "*" },
        ],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        objectSelector: pods === "target" ? { matchLabels: labels } : {},
        failurePolicy: "Fail",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds,
      },
    ],
  };
}

const deleteConfiguration: Remedy = {
  name: "delete-configuration",
  doc: "deletes the configuration of the webhook, which nothing serves, and starts the workload again",
  commands: (context) => [
    `kubectl delete validatingwebhookconfiguration ${nameOf(context)}`,
    ...restartTarget(context),
  ],
};

const ignoreFailure: Remedy = {
  name: "ignore-failure",
  doc: "lets pods be made when the webhook does not answer, and starts the workload again",
  commands: (context) => [
    patchCommand(context, kind, nameOf(context), [
      { op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" },
    ]),
    ...restartTarget(context),
  ],
};

const longerTimeout: Remedy = {
  name: "longer-timeout",
  doc: "lets the API server wait longer for a webhook that nothing serves",
  commands: (context) => [
    patchCommand(context, kind, nameOf(context), [
      { op: "replace", path: "/webhooks/0/timeoutSeconds", value: 30 },
    ]),
    ...restartTarget(context),
  ],
};

const emptyService: Remedy = {
  name: "empty-service",
  doc: "makes the Service that the webhook is to be at, with no pods behind it",
  commands: (context) => [
    `${kubectl(context)} create service clusterip ${service} --tcp=443:8443`,
    ...restartTarget(context),
  ],
};

const awayForAMoment: Remedy = {
  name: "away-for-a-moment",
  doc: "ignores that the webhook does not answer while pods are made, and no more afterwards",
  commands: (context) => {
    const policy = (value: string): string =>
      patchCommand(context, kind, nameOf(context), [
        { op: "replace", path: "/webhooks/0/failurePolicy", value },
      ]);
    return [policy("Ignore"), ...restartTarget(context), policy("Fail")];
  },
};

const labels: CauseLabels = {
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Dependency Problem",
};

const deleteFound: Runbook = {
  observe: () => "kubectl get validatingwebhookconfigurations -o name",
  act: (found) => ({
    title: `Delete the webhook that keeps pods of ${found.target} from being made`,
    commands: [
      findWorkload(found),
      `kubectl delete ${(found.finding?.object.kind ?? kind.kind).toLowerCase()} ${found.finding?.object.name ?? webhooksOf(found.namespace)} --ignore-not-found`,
      ...restartWorkload(found),
    ],
  }),
};

/** An admission webhook for pods must be asked, and nothing serves it. */
export default defineFault({
  name: "admission-webhook-outage",
  title: "Admission webhook that nothing serves",
  description: "admission-webhook-outage: the service's pods are not created",
  parameters,
  strengths: [{ name: "target-alone", parameters: { pods: "target" } }],
  withoutDraw: "the policy has two values, and the webhook the only name that an arena may give one",
  withoutTwin: "an arena may have one webhook, that of the fault",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(),
  async inject(context) {
    await context.cluster.apply(configuration(context));
    await endPods(context);
  },
  status: (context) => refusedStatus(context, { kind, namespace: undefined, name: nameOf(context) }),
  remove: async (context) => {
    await context.cluster.delete(kind, undefined, nameOf(context));
  },
  truth: (context) => ({
    objects: [
      {
        kind: kind.kind,
        name: nameOf(context),
        field: `webhooks[name=${webhookOf(context)}].failurePolicy`,
        wrong: "Fail",
        right: "Ignore",
      },
    ],
    affected: [{ kind: kind.kind, name: nameOf(context) }, ...affectedObjects(context)],
    ...labels,
    explanation: `the webhook ${webhookOf(context)} must be asked about new pods, and its Service ${service} is not there, so pods of ${context.target} are refused`,
  }),
  repairs: [deleteConfiguration, ignoreFailure],
  runbook: deleteFound,
  evidence: unansweredWebhook(labels),
  shortcuts: [longerTimeout, emptyService, awayForAMoment, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
