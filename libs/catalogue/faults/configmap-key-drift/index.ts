import {
  affectedObjects,
  anotherDeployment,
  awaitRollout,
  type CauseLabels,
  type Draw,
  defineFault,
  deletePods,
  drawnWord,
  type Environment,
  endPods,
  type FaultContext,
  isRolledOut,
  keepsData,
  kinds,
  kubectl,
  manifestOf,
  offeredWorkloads,
  ownWord,
  parametersOf,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  shellWord,
  type TruthContext,
  targetName,
  variableSetting,
  waitingPods,
  z,
} from "@microremed/catalogue";
import { missingKey } from "./evidence.ts";

const parameters = z.object({
  key: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/)
    .default("LISTEN_PORT")
    .describe("of the ConfigMap, and the variable that is read from it"),
});
const keyOf = (context: Pick<RemedyContext, "parameters">): string => parametersOf(parameters, context).key;

/** Such as `CART_BLUE_PORT`. */
const drawnKey: Draw<string> = (rng, where) =>
  [ownWord(rng, where), drawnWord(rng), rng.pick(["port", "listen", "bind", "http"])].join("_").toUpperCase();

const configMapOf = (context: Pick<TruthContext, "environment" | "target">): string =>
  `${targetName(context)}-config`;

interface WithPorts {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly ports?: readonly { readonly containerPort: number }[] }[];
      };
    };
  };
}

/** The first port that the Deployment says its program has; undefined: it is no Deployment, or says none. */
function portOf(environment: Environment, name: string): string | undefined {
  const manifest = manifestOf(environment, kinds.deployment, name) as WithPorts | undefined;
  const port = manifest?.spec.template.spec.containers[0]?.ports?.[0]?.containerPort;
  return port === undefined ? undefined : String(port);
}
const rightValue = (context: Pick<TruthContext, "environment" | "target">): string =>
  portOf(context.environment, targetName(context)) ?? "";

async function isGone(context: FaultContext): Promise<boolean> {
  const { cluster, namespace } = context;
  const object = await cluster.get(kinds.configMap, namespace, configMapOf(context));
  return (
    object !== undefined &&
    (object["data"] as Record<string, string> | undefined)?.[keyOf(context)] === undefined
  );
}

/** Null: the key goes. */
const setKey = (context: FaultContext, value: string | null) =>
  context.cluster.patch(kinds.configMap, context.namespace, configMapOf(context), {
    type: "merge",
    body: { data: { [keyOf(context)]: value } },
  });

async function status(context: FaultContext) {
  const gone = await isGone(context);
  const pods = await waitingPods(context);
  return {
    present: gone,
    injected: gone && pods.length > 0,
    pods,
    expiresAt: null,
    note: `the ConfigMap ${configMapOf(context)} has ${gone ? "no" : "a"} key ${keyOf(context)}; pods of ${context.target} that wait: ${pods.length}`,
  };
}

const setTo = (context: RemedyContext, value: string): string =>
  `${kubectl(context)} patch configmap/${configMapOf(context)} --type=merge -p ${shellWord(JSON.stringify({ data: { [keyOf(context)]: value } }))}`;

const keyAgain: Remedy = {
  name: "key-again",
  doc: "the expert's fix: gives the ConfigMap its key again; the kubelet tries again by itself",
  commands: (context) => [setTo(context, rightValue(context)), awaitRollout(context)],
};

const keyAgainAndDelete: Remedy = {
  name: "key-again-and-delete-pods",
  doc: "gives the ConfigMap its key again and replaces the pods that wait",
  commands: (context) => [
    setTo(context, rightValue(context)),
    ...deletePods.commands(context),
    awaitRollout(context),
  ],
};

const wrongValue: Remedy = {
  name: "wrong-value",
  doc: "gives the key a value that is not the program's port",
  commands: (context) => [setTo(context, "1"), awaitRollout(context)],
};

const emptyValue: Remedy = {
  name: "empty-value",
  doc: "gives the key an empty value",
  commands: (context) => [setTo(context, ""), awaitRollout(context)],
};

const labels: CauseLabels = {
  mechanism: "configuration-missing",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};

const addKey: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps -o name`,
  act: ({ namespace, target, finding }) => ({
    title: `Give ${target} the key that it needs`,
    commands: [
      `kubectl -n ${namespace} patch configmap ${finding?.object.name ?? `${target}-config`} --type=merge -p '{"data":{"${finding?.field.replace(/^data\./, "") ?? "LISTEN_PORT"}":"${finding?.right ?? `'$(kubectl -n ${namespace} get deployment ${target} -o jsonpath="{.spec.template.spec.containers[0].ports[0].containerPort}")'`}"}}'`,
      `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
    ],
  }),
};

/** A key is gone from a ConfigMap from which the target's program has a variable: its next pods do not start. */
export default defineFault({
  name: "configmap-key-drift",
  title: "Key missing in a ConfigMap",
  description: "configmap-key-drift: the service's pods do not start",
  parameters,
  drawn: { key: drawnKey },
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name }, environment) => {
    if (portOf(environment, name) === undefined) return `${name} is no Deployment that says its port`;
    return keepsData(environment, name) ? `${name} keeps data, which a new pod may not have` : undefined;
  }),
  setting: (context) =>
    variableSetting(context, {
      configMap: configMapOf(context),
      variable: context.parameters.key,
      value: rightValue(context),
    }),
  isSettled: (context) => isRolledOut(context, targetName(context)),
  async inject(context) {
    if (await isGone(context)) return;
    await setKey(context, null);
    await endPods(context);
  },
  status,
  remove: async (context) => {
    if (await isGone(context)) await setKey(context, rightValue(context));
  },
  truth: (context) => {
    const { key } = context.parameters;
    const cause = { kind: "ConfigMap", name: configMapOf(context) };
    return {
      objects: [{ ...cause, field: `data.${key}`, wrong: "none", right: rightValue(context) }],
      affected: [cause, ...affectedObjects(context)],
      ...labels,
      explanation: `the ConfigMap ${cause.name} has no key ${key}, without which the containers of ${context.target} do not start`,
    };
  },
  repairs: [keyAgain, keyAgainAndDelete],
  runbook: addKey,
  evidence: missingKey(labels),
  shortcuts: [wrongValue, emptyValue, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
