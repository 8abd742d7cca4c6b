import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { type Environment, targetText } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const faults = catalogue.faults.all();

/** Words of the harness and of trials, and every fault's name in each way to write it. None belongs to a cluster that runs a shop. */
const words = new RegExp(
  [
    "micro-?remed|harness|chaos|\\barenas?\\b|episode|\\bfaults?\\b|\\binject(?:or|ion|ed)|conceal|simulat",
    "embedded|\\bfenc|\\bslot\\b|\\bprobers?\\b|benchmark|experiment|\\btrials?\\b|\\bneutral\\b|\\boracle|ground.?truth",
    ...faults.flatMap(({ name, control }) => (control ? [] : [name.split("-").join("[-_ ]?")])),
  ].join("|"),
  "i",
);
/** Paths of this machine. */
const paths = /\/(?:tmp|work|home|root\/(?!\.kube)|var\/lib\/(?!kubelet))|node_modules|\.ts:\d+/;

/** Everything that can be asked of an environment, by every tool that reads. */
function questionsOf(
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
      "events",
      "nodes",
    ].map((some) => shell(`kubectl get ${some} -o json`)),
    ...["secrets", "roles", "namespaces", "clusterroles", "pods -n kube-system"].map((some) =>
      shell(`kubectl get ${some}`),
    ),
  ];
}

/**
 * What Chaos Mesh writes on the pods themselves in its pod-failure, with the image that it has taken away: it needs that to
 * end the fault, so it cannot be hidden.
 */
const onFailedPods = /chaos-mesh-\w+-pod-failure-|"manager": "chaos-controller-manager"/;

/** Lines with one of the words. */
function findings(where: string, text: string): string[] {
  return text.split(/\n|(?<=[,{}])(?=\s*")/).flatMap((line) => {
    const found = words.exec(line) ?? paths.exec(line);
    return found ? [`${where}: ...${line.slice(Math.max(0, found.index - 60), found.index + 60)}...`] : [];
  });
}

/** The environment on which a fault has targets, and the first of those. */
function placeOf(fault: (typeof faults)[number]) {
  for (const name of ["simple-micro", ...catalogue.environments.names]) {
    const environment = catalogue.environments.get(name);
    const [target] = fault.targets(environment);
    if (target) return { environment, target: targetText(target) };
  }
  throw new Error(`nothing can be a target of ${fault.name}`);
}

const byEnvironment = Map.groupBy(
  faults.map((fault) => ({ fault, ...placeOf(fault) })),
  ({ environment }) => environment,
);

test.each([...byEnvironment])(
  "no answer of any tool names the harness or a fault, after any fault of %#",
  async (environment, incidents) => {
    await using user = await aToolUser(catalogue, environment);
    const { arena, cluster, call } = user;
    const found: string[] = [];
    let asked = 0;
    for (const { fault, target } of incidents) {
      await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
      const incident = { failure: fault.name, target, concealment: "neutral", timeoutSeconds: 120 } as const;
      const { status, baseline } = await injectFailure(arena, incident);
      expect([fault.name, status]).toEqual([fault.name, "ok"]);
      if (baseline === null) throw new Error("nothing was measured");
      await cluster.clock.sleep(60_000);
      const pods = await cluster.list(kinds.pod, { namespace: arena.namespace });
      const names = pods.map(({ metadata }) => metadata.name);
      for (const [tool, args] of questionsOf(environment, names)) {
        const { replies, answer } = await call(tool, args, baseline.takenAt);
        const where = `${fault.name}: ${tool} ${JSON.stringify(args)}`;
        const texts = [answer, ...replies.map(({ output }) => output)];
        const all = texts.flatMap((text) => findings(where, text));
        found.push(...all.filter((line) => fault.name !== "pod-fail" || !onFailedPods.test(line)));
        asked += replies.length;
      }
      await restoreArena(arena, { ...incident, baseline, timeoutSeconds: 900 });
    }
    expect(asked).toBeGreaterThan(40 * incidents.length);
    expect([...new Set(found)].slice(0, 30)).toEqual([]);
  },
);

test("the same search finds the words where they are", () => {
  for (const text of [
    "x: StressChaos",
    "cpu-stress",
    "CPUStress",
    "microremed.io/arena",
    "at /tmp/x",
    "a.ts:12",
  ])
    expect(findings("here", text), text).not.toEqual([]);
  expect(findings("here", "cart-0 1/1 Running 0 5m, kubectl get pods")).toEqual([]);
});
