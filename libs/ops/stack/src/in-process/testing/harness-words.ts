import type { Environment } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";

const { faults, noises } = await builtInCatalogue();
/** What faults are called, in each way to write it; and noises, whose names are common words, as their folders are. */
const namesIn = [
  ...faults.all().flatMap(({ name, control }) => (control ? [] : [name.split("-").join("[-_ ]?")])),
  ...noises.names,
];

/** Words of the harness and of trials, and the names of faults and noises. None belongs to a cluster that runs a shop, unless its own manifests have it. */
const words = new RegExp(
  [
    "micro-?remed|harness|chaos|\\barenas?\\b|episode|\\bfaults?\\b|\\binject(?:or|ion|ed)|conceal|simulat",
    "embedded|\\bfenc|\\bslot\\b|\\bprobers?\\b|benchmark|experiment|\\btrials?\\b|\\bneutral\\b|\\boracle|ground.?truth",
    ...namesIn,
  ].join("|"),
  "i",
);
/** Paths of this machine; those of kubelets and of databases in containers are not. */
const paths =
  /\/(?:tmp|work|home(?!-timeline)|root\/(?!\.kube)|var\/lib\/(?!kubelet|mysql))|node_modules|\.ts:\d+/;

/** Everything that can be asked of an environment, by every tool that reads. */
export function questionsOf(
  environment: Environment,
  pods: readonly string[],
): readonly (readonly [string, object])[] {
  const workloads = Object.entries(environment.workloads);
  const shell = (command: string) => ["exec_shell", { command }] as const;
  return [
    ...["cpu", "memory", "requests", "errors", "latency", "latency_p95"].flatMap((metric) => [
      ["query_metrics", { metric, since: "24h", per: "pod", top: 100 }] as const,
      ["query_metrics", { metric, since: "1m", compare: "5m" }] as const,
    ]),
    ["query_metrics", {}],
    ["query_metrics", { promql: "up" }],
    ["search_traces", { since: "24h", limit: 100 }],
    ["search_traces", { since: "1m", compare: "5m", errors: true }],
    ["get_events", { limit: 200 }],
    ["get_topology", {}],
    ["diff_since", { since: "24h" }],
    ["wait", { seconds: 5 }],
    ["probe_system", { command: "kubectl get pods -A" }],
    ...pods.flatMap((of) => [
      ["get_logs", { of, lines: 1000 }] as const,
      ["get_logs", { of, previous: true }] as const,
      ["describe", { of: `pod/${of}` }] as const,
      shell(`kubectl exec ${of} -- env`),
      shell(`kubectl exec ${of} -- ps`),
      shell(`kubectl exec ${of} -- cat /etc/hosts /etc/resolv.conf`),
    ]),
    ...workloads.map(([name, { kind }]) => ["describe", { of: `${kind.toLowerCase()}/${name}` }] as const),
    ["describe", { of: "service/nobody" }],
    ["describe", { of: "node/node-1" }],
    ...[
      "pods,replicasets,deployments,statefulsets,daemonsets",
      "services,endpoints,endpointslices,networkpolicies,ingresses",
      "configmaps,serviceaccounts,persistentvolumeclaims,resourcequotas,limitranges",
      "jobs,cronjobs",
      "events",
      "nodes",
    ].map((some) => shell(`kubectl get ${some} -o json`)),
    ...["secrets", "roles", "namespaces", "clusterroles", "pods -n kube-system"].map((some) =>
      shell(`kubectl get ${some}`),
    ),
  ];
}

/** Names and paths in a text. */
const tokens = /[\w./-]+/g;

/** Lines with one of the words. A name or path that is declared as a whole in the system's own manifests, `declared`, is the system's. */
export function findings(where: string, text: string, declared: ReadonlySet<string> = new Set()): string[] {
  return text.split(/\n|(?<=[,{}])(?=\s*")/).flatMap((line) => {
    const foreign = line.replaceAll(tokens, (token) =>
      declared.has(token) ? " ".repeat(token.length) : token,
    );
    const found = words.exec(foreign) ?? paths.exec(foreign);
    return found ? [`${where}: ...${line.slice(Math.max(0, found.index - 60), found.index + 60)}...`] : [];
  });
}

/** The names and paths that an environment's manifests have, and what else belongs to the system, such as a fault's setting. */
export function declaredIn(
  { manifests }: Pick<Environment, "manifests">,
  further: readonly object[] = [],
): ReadonlySet<string> {
  return new Set([...kubernetes, ...(JSON.stringify([manifests, further]).match(tokens) ?? [])]);
}

/** What Kubernetes itself says that is like a fault's name: why a pod that has failed is not Ready. */
const kubernetes = ["PodFailed"];
