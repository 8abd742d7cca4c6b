import { type Cluster, kinds } from "@microremed/cluster";
import { describe, expect, test } from "vitest";
import type { Prober, TelemetryRun } from "../probe.types.ts";

/** A prober under test, and the cluster that it reads. */
export interface ProberUnderTest extends AsyncDisposable {
  readonly prober: Prober;
  /** With its administrator's rights. */
  readonly cluster: Cluster;
  /** Commands that change something, with means that not every driver's shell has. */
  readonly hiding?: readonly string[];
}

const namespace = "field";
const timeoutMs = 60_000;

async function prepare(cluster: Cluster): Promise<string> {
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const service = (name: string, port: number) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port }] },
  });
  await cluster.create(service("cart", 80));
  await cluster.create(service("redis", 6379));
  const sizes = {
    a: { size: "1Gi", turn: "10" },
    b: { size: "900Mi", turn: "9" },
    c: { turn: "x10" },
    d: { turn: "x9" },
  };
  for (const [name, data] of Object.entries(sizes))
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, labels: { sized: "yes" } },
      data,
    });
  const container = {
    name: "server",
    image: "busybox",
    command: ["sh", "-c", "echo hello; sleep 1000000"],
    env: [{ name: "DB", value: "redis:6379" }],
  };
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "cart", namespace },
    spec: {
      selector: { matchLabels: { app: "cart" } },
      template: { metadata: { labels: { app: "cart" } }, spec: { containers: [container] } },
    },
  });
  const options = { what: "the workload", timeoutMs: 120_000, namespace, kinds: [kinds.deployment] };
  await cluster.waitUntil(options, (view) =>
    view.list(kinds.deployment)[0]?.status?.availableReplicas === 1 ? true : undefined,
  );
  await cluster.clock.sleep(60_000);
  return reader(cluster);
}

/**
 * Credentials that read, for the next command: hours of an embedded cluster may pass during a test, and what was given before
 * ends in that time.
 */
const reader = (cluster: Cluster): Promise<string> => cluster.agentKubeconfig(namespace, { readOnly: true });

/** Credentials that write: where a command may only read, the check of each request is all that keeps them from it. */
const writer = (cluster: Cluster): Promise<string> => cluster.agentKubeconfig(namespace, { readOnly: false });

const names = (...some: string[]): string => some.map((name) => `configmap/${name}\n`).join("");

/** Commands, and what must be printed. */
const probes: readonly (readonly [command: string, printed: string | RegExp])[] = [
  ["kubectl get deployments -o name", "deployment.apps/cart\n"],
  ["kubectl get deploy cart -o jsonpath='{.status.readyReplicas}/{.spec.replicas}'", "1/1"],
  [
    `kubectl get deployment,statefulset -o jsonpath='{range .items[*]}{.metadata.name} {.status.readyReplicas}/{.spec.replicas}{"\\n"}{end}'`,
    "cart 1/1\n",
  ],
  ["kubectl get pods -l app=cart --no-headers | wc -l | tr -d ' '", "1\n"],
  ["kubectl get svc -o name | sort | head -1", "service/cart\n"],
  ["kubectl get pods", /^NAME +READY +STATUS +RESTARTS +AGE\ncart-\S+ +1\/1 +Running +0 +\S+\n$/],
  ["kubectl get deployment cart -o json | jq -r .spec.template.spec.containers[0].image", "busybox\n"],
  ["kubectl get cm -l sized --sort-by=.data.turn -o name", names("b", "a", "c", "d")],
  ["kubectl get cm -l sized --sort-by='{.data.turn}' -o jsonpath='{.items[*].metadata.name}'", "b a c d"],
  [
    "kubectl get cm -l sized --sort-by=.data.turn -o json | jq -r '.items[].data.turn' | tr '\\n' ' '",
    "9 10 x10 x9 ",
  ],
  ["kubectl get cm -l sized --sort-by=.data.turn --no-headers | cut -c1 | tr -d '\\n'", "bacd"],
  // Of two without the field either may come first.
  ["kubectl get cm -l sized --sort-by=.data.size -o name | tail -2", names("b", "a")],
  ["kubectl exec deploy/cart -- sh -c 'echo inside'", "inside\n"],
  ["kubectl get cm a -o yaml", /^apiVersion: v1\ndata:\n(?![\s\S]*managedFields)/],
  ["kubectl get cm a -o json", /^\{\n {4}"apiVersion": "v1",\n {4}"data": (?![\s\S]*managedFields)/],
  ["kubectl get cm a -o yaml --show-managed-fields", /managedFields:/],
  ["kubectl logs deployment/cart --tail=1", "hello\n"],
  ["kubectl top pods --containers --no-headers | awk '{print $2}'", "server\n"],
];

/** Commands that change something and pass no check of their text, or hide from it what they do. */
const writing: readonly string[] = [
  "kubectl delete deployment cart",
  "kubectl scale deployment cart --replicas=0",
  "kubectl annotate deployment cart note=done",
  "kubectl exec deploy/cart -- touch /tmp/x",
  "kubectl exec deploy/cart -- sh -c 'echo x > /tmp/x'",
  "kubectl exec deploy/cart -- sh -c 'kill 1'",
  "kubectl exec deploy/cart -- kill 1",
  "kubectl get pods; kubectl exec deploy/cart -- sh -c 'ls; pkill sleep'",
  "c=kill; kubectl exec deploy/cart -- $c 1",
  "k=kubectl; $k exec deploy/cart -- rm -f /etc/hosts",
];

/** What is in the cluster and in a container, as far as an agent could change it. */
async function stateOf(cluster: Cluster): Promise<unknown> {
  const objects = await Promise.all(
    [kinds.deployment, kinds.pod, kinds.configMap, kinds.service].map((kind) =>
      cluster.list(kind, { namespace }),
    ),
  );
  const [pod] = await cluster.list(kinds.pod, { namespace, labelSelector: "app=cart" });
  const command = ["sh", "-c", "ls /tmp /etc; ps"];
  const where = { namespace, pod: pod?.metadata.name ?? "", container: "server" };
  const inside = await cluster.exec({ ...where, command, timeoutMs });
  const named = objects.flat().map(({ metadata, ...object }) => ({
    ...object,
    metadata: { ...metadata, resourceVersion: "", managedFields: [] },
  }));
  return { named, inside };
}

/** What every driver answers. */
export function testProber(name: string, create: () => Promise<ProberUnderTest>): void {
  describe(name, () => {
    test("prints what is asked for, refuses what writes, and says how it failed", async () => {
      await using under = await create();
      const { prober, cluster } = under;
      await prepare(cluster);
      await using _hold = await cluster.clock.hold();
      const ask = async (command: string) =>
        prober.runProbe({ command, kubeconfig: await reader(cluster), timeoutMs });
      for (const [command, printed] of probes) {
        const reply = await ask(command);
        expect({ command, ...reply }).toMatchObject({ status: "ok", exitCode: 0 });
        if (typeof printed === "string") expect([command, reply.output]).toEqual([command, printed]);
        else expect(reply.output).toMatch(printed);
      }
      expect((await ask("kubectl delete pods --all")).status).toBe("refused");
      expect(await ask("kubectl get deployment nobody")).toMatchObject({
        status: "failed",
        exitCode: 1,
        output: expect.stringContaining('Error from server (NotFound): deployments.apps "nobody" not found'),
      });
      expect(await ask("kubectl get cm -l sized --sort-by=.data.none -o name")).toMatchObject({
        status: "failed",
        exitCode: 1,
        output: expect.stringContaining(
          `error: couldn't find any field with path "{.data.none}" in the list of objects`,
        ),
      });
      expect(await ask("kubectl get secrets -o name")).toMatchObject({
        status: "failed",
        output: expect.stringContaining("(Forbidden)"),
      });
    });

    test("changes nothing with a command that only reads, whatever its text is", async () => {
      await using under = await create();
      const { prober, cluster } = under;
      await prepare(cluster);
      await using _hold = await cluster.clock.hold();
      const before = await stateOf(cluster);
      for (const command of [...writing, ...(under.hiding ?? [])])
        for (const kubeconfig of [await reader(cluster), await writer(cluster)]) {
          const reply = await prober.runReading({ command, kubeconfig, timeoutMs });
          expect({ command, ...reply }).toMatchObject({ status: "refused" });
        }
      expect(await stateOf(cluster)).toEqual(before);
      for (const [command] of probes) {
        const kubeconfig = await writer(cluster);
        const { status, output } = await prober.runReading({ command, kubeconfig, timeoutMs });
        expect({ command, status, refusal: status === "ok" ? "" : output }).toEqual({
          command,
          status: "ok",
          refusal: "",
        });
      }
    });

    test("runs commands that change something, if their credentials let them and as long as they may", async () => {
      await using under = await create();
      const { prober, cluster } = under;
      const readOnly = await prepare(cluster);
      const kubeconfig = await writer(cluster);
      await using _hold = await cluster.clock.hold();
      const command =
        "kubectl annotate deployment cart note=done && kubectl get deployment cart -o jsonpath='{.metadata.annotations.note}'";
      const run = { command, timeoutMs };
      expect(await prober.runCommand({ ...run, kubeconfig })).toMatchObject({
        status: "ok",
        output: expect.stringMatching(/annotated\ndone$/),
      });
      expect(await prober.runCommand({ ...run, kubeconfig: readOnly })).toMatchObject({
        status: "failed",
        output: expect.stringContaining("orbidden"),
      });
    });

    test("knows no kind of what conceals itself from its credentials, by reading or writing", async () => {
      await using under = await create();
      const { prober, cluster } = under;
      await prepare(cluster);
      await using _hold = await cluster.clock.hold();
      for (const readOnly of [true, false]) {
        const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly, concealed: true });
        const ask = async (what: string) => {
          const run = { command: `kubectl ${what}`, kubeconfig, timeoutMs };
          const { status, output } = await (readOnly ? prober.runProbe(run) : prober.runCommand(run));
          return { what, status, output: output.replaceAll(what.split(" ")[1] ?? "", "kind").trim() };
        };
        const output = `error: the server doesn't have a resource type "kind"`;
        const words = ["nonsense", "podnetworkchaos", "networkchaos", "podchaos"].map(
          (kind) => `get ${kind}`,
        );
        if (!readOnly) words.push("delete stresschaos x", "annotate iochaos x a=b");
        for (const what of words) expect(await ask(what)).toEqual({ what, status: "failed", output });
      }
    });

    test("answers questions to the telemetry", async () => {
      await using under = await create();
      const { prober, cluster } = under;
      const kubeconfig = await prepare(cluster);
      await using _hold = await cluster.clock.hold();
      const ask = (probe: TelemetryRun["probe"]) => prober.runTelemetry({ probe, kubeconfig, timeoutMs });
      expect(
        (await ask({ kind: "logs", of: "deployment/cart", previous: false, lines: 5 })).output,
      ).toContain("hello");
      expect((await ask({ kind: "events", of: "deployment/cart" })).output).toMatch(
        /ScalingReplicaSet.*cart/,
      );
      expect((await ask({ kind: "topology" })).output).toBe(
        [
          "service cart (addresses: 1 up, 0 down) -> deployment/cart (1/1 ready); configured to call redis",
          "service redis (addresses: 0 up, 0 down) -> no workload",
        ].join("\n"),
      );
      expect((await ask({ kind: "metrics" })).output).toMatch(
        /POD +NAME +CPU\(cores\) +MEMORY\(bytes\)\s+cart-/,
      );
      expect(await ask({ kind: "logs", of: "deployment/nobody", previous: false, lines: 5 })).toMatchObject({
        status: "failed",
        output: expect.stringContaining("not found"),
      });
    });
  });
}
