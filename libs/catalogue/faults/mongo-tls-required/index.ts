import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  endPods,
  type FaultContext,
  fieldFault,
  isLoaded,
  kinds,
  mongoConfig,
  mongoConfigOf,
  podsOf,
  restartEverything,
  type TruthContext,
  targetOf,
  withTlsMode,
  workloadsWhere,
  z,
} from "@microremed/catalogue";
import { requiredTls } from "./evidence.ts";
import { oldName, restartClients, switchOff, switchOffAndDelete, withoutRestart } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};

/** Calls of the server for each request of a user: fewer show too late. */
const leastPerRequest = 0.05;

const change = (context: TruthContext) => {
  const { configMap, key, text } = mongoConfig(context);
  return {
    kind: kinds.configMap,
    name: configMap,
    path: `/data/${key}`,
    wrong: withTlsMode(text, "requireTLS"),
  };
};

const configuration = fieldFault({
  parameters: z.object({}),
  changes: (context) => [change(context)],
  explanation: ({ target }) =>
    `${target} takes connections by TLS alone, and the programs that use it do not speak TLS`,
  ...labels,
});

/** Names of the pods whose server takes no connection without TLS. */
async function closedPods(context: FaultContext): Promise<string[]> {
  const { cluster, namespace, environment, target } = context;
  const container = targetOf(environment, target)?.container.name ?? "";
  const closed: string[] = [];
  for (const { metadata, status } of await podsOf(context)) {
    if (metadata.deletionTimestamp || status?.phase !== "Running") continue;
    const command = ["mongo", "--quiet", "--eval", "db.version()"];
    const where = { namespace, pod: metadata.name, container, command, timeoutMs: 10_000 };
    const asked = await cluster.exec(where).catch(() => undefined);
    if (asked && asked.exitCode !== 0 && asked.stderr.includes("network error")) closed.push(metadata.name);
  }
  return closed;
}

/** A MongoDB server takes connections by TLS alone, which none of its programs speaks. */
export default defineFault({
  name: "mongo-tls-required",
  title: "TLS required by a database",
  description: "mongo-tls-required: the database refuses the service's connections",
  withoutDraw: "the mode has four values",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...workloadsWhere((place, environment) => {
    if (!mongoConfigOf(place, environment))
      return `${place.name} is no MongoDB server that could be given TLS`;
    return isLoaded(environment, place.name, leastPerRequest)
      ? undefined
      : `requests of users hardly ever reach ${place.name}`;
  }),
  ...configuration,
  async inject(context) {
    await configuration.inject(context);
    // The server reads its configuration when it starts.
    await endPods(context);
  },
  async status(context) {
    const [written, pods] = [await configuration.status(context), await closedPods(context)];
    return {
      ...written,
      present: written.present || pods.length > 0,
      injected: written.injected && pods.length > 0,
      pods,
      note: `${written.note}; pods that require TLS: ${pods.length}`,
    };
  },
  async remove(context) {
    const pods = await closedPods(context);
    await configuration.remove(context);
    if (pods.length > 0) await endPods(context);
  },
  truth: (context) => {
    const { configMap, key } = mongoConfig(context);
    return {
      ...configuration.truth(context),
      objects: [
        {
          kind: "ConfigMap",
          name: configMap,
          field: `data.${key}`,
          wrong: "mode: requireTLS",
          right: "mode: disabled",
        },
      ],
      affected: [{ kind: "ConfigMap", name: configMap }, ...affectedObjects(context)],
    };
  },
  repairs: [switchOff, switchOffAndDelete],
  shortcuts: [withoutRestart, oldName, restartClients, restartEverything, deletePods],
  evidence: requiredTls(labels),
  runbook: {
    observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps -o name`,
    act: ({ namespace, target }) => ({
      title: `Let ${target} take connections without TLS`,
      commands: [
        `for c in $(kubectl -n ${namespace} get configmaps -o name); do`,
        `  if kubectl -n ${namespace} get $c -o json | grep -q 'mode: requireTLS'; then`,
        `    kubectl -n ${namespace} get $c -o json | sed 's/mode: requireTLS/mode: disabled/' | kubectl -n ${namespace} replace -f -`,
        "  fi",
        "done",
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    }),
  },
});
