import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { whyImpossible } from "./impossible.ts";
import { startCanary } from "./testing/canary.ts";
import { writeChaosMeshKinds } from "./testing/chaos-mesh-kinds.ts";
import { writeContexts } from "./testing/contexts.ts";
import { openDoor } from "./testing/door.ts";
import { atHome, hostilePlaybook, reached, tried } from "./testing/hostile-playbook.ts";
import { startComputer } from "./testing/operators-computer.ts";
import { addNames } from "./testing/own-names.ts";
import { pageCommands } from "./testing/page-commands.ts";
import { processesWhere } from "./testing/processes.ts";
import { type ProductCluster, podsOf, startProductCluster } from "./testing/product-cluster.ts";
import { reportOf, submit } from "./testing/submit.ts";
import { transcriptsOf } from "./testing/transcripts.ts";

const impossible = await whyImpossible(["buildah", "debootstrap"]);
const withinMs = 3_600_000;
const say = (line: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
let product: ProductCluster;

if (impossible) say(`The tests of the range on a real Kubernetes are skipped: ${impossible}`);

beforeAll(async () => {
  if (impossible) return;
  product = await startProductCluster(3, say);
  return () => product[Symbol.asyncDispose]();
}, withinMs);

const thisMachine = {
  enter: [],
  sockets: async () => ({ listening: [], connections: [] }),
  [Symbol.asyncDispose]: async () => undefined,
};
const system = ["-n", "microremed-system"];
const runners = ["-n", "microremed-runners"];
const services = ["scheduler", "injector", "executor", "verifier", "remediator"];
const faults = ["cpu-stress", "pod-fail", "network-loss", "memory-stress", "pod-config-error"];
/** On a real cluster: of the faults that need no Chaos Mesh. */
const realRequest = {
  environment: "simple-micro",
  failures: ["pod-config-error"],
  maxAttempts: 1,
  timeouts: { injectionSeconds: 120, recoverySeconds: 150 },
  seed: 1,
};
const submitCommand = "python3 docs/examples/submit.py request.json";

test.skipIf(impossible)(
  "dev comes up by the page's commands; scaled, rolled out and drained in the middle, no episode is lost",
  async () => {
    const { computer, kubectl } = product;
    const [, ...commands] = await pageCommands("kubernetes.md", "Try it");
    const at = commands.indexOf(submitCommand);
    expect(at).toBeGreaterThan(0);
    // What keeps data is on the first node; the others join later.
    await kubectl(["cordon", "node-2", "node-3"]);
    for (const command of commands.slice(0, at)) await computer.type(command);
    const experiment = await submit(computer, {
      command: submitCommand,
      request: {
        environment: "simple-micro",
        model: "reference/runbook",
        failures: [...faults, ...faults, ...faults],
        seed: 1,
      },
      midway: {
        episodes: 1,
        act: async () => {
          await kubectl(["uncordon", "node-2", "node-3"]);
          await kubectl([...system, "scale", "deployment", "remediator", "--replicas=2"]);
          await kubectl([...system, "rollout", "restart", "deployment", ...services]);
          await kubectl([...system, "rollout", "status", "deployment", "--timeout=300s"]);
          say("rolled out");
          await kubectl(["drain", "node-2", "--ignore-daemonsets", "--delete-emptydir-data", "--force"]);
          say("drained");
        },
      },
    });
    const report = await reportOf(computer, experiment);
    say(JSON.stringify(report.summary));
    expect(report.episodes.filter(({ outcome }) => outcome !== "remediated")).toEqual([]);
    expect(report.episodes).toHaveLength(15);
    await kubectl(["uncordon", "node-2"]);
    for (const command of commands.slice(at + 1)) await computer.type(command.replace("<id>", experiment));
    await kubectl([...system, "rollout", "status", "deployment", "--timeout=300s"]);
    const remediators = ["get", "deployment", "remediator", "-o", "jsonpath={.status.readyReplicas}"];
    expect(await kubectl([...system, ...remediators])).toBe("4");
  },
  withinMs,
);

test.skipIf(impossible)(
  "a hostile playbook reaches its arena alone, and nothing is left of it, also when its executor is killed",
  async () => {
    const { computer, cluster } = product;
    await using canary = await startCanary(cluster.gateway);
    const outside = `${cluster.gateway}:${canary.port}`;
    // It listens to others.
    await computer.type(`bash -c 'exec 3<>/dev/tcp/${outside.replace(":", "/")}'`);
    await expect.poll(canary.visits).toBe(1);
    const [nats] = await podsOf(product, [...system, "-l", "app.kubernetes.io/name=nats"]);
    const [executor] = await podsOf(product, [...system, "-l", "app.kubernetes.io/name=executor"]);
    if (!nats || !executor) throw new TypeError("dev has a NATS and an executor");
    const mark = 1_000_000 + process.pid;
    const sleeping = () => processesWhere((words) => words.includes(`sleep ${mark}`));
    const answering = [`${nats.status.podIP}:4222`, `${cluster.address}:6443`, "10.96.0.1:443"];
    // They answer an executor.
    for (const at of answering)
      await product.kubectl([
        ...[...system, "exec", executor.metadata.name, "-c", "executor", "--"],
        ...["timeout", "10", "bash", "-c", `exec 3<>/dev/tcp/${at.replace(":", "/")}`],
      ]);
    const targets = [outside, ...answering, `${executor.status.podIP}:9090`, "169.254.169.254:80"];
    const experiment = await submit(computer, {
      command: submitCommand,
      request: {
        environment: "simple-micro",
        model: "reference/noop",
        method: "Human",
        playbook: hostilePlaybook({ targets, mark }),
        policy: "open",
        // It does not end by itself while nothing is done about it: an embedded cluster's hour is a minute.
        failures: ["pod-config-error"],
        maxAttempts: 1,
        seed: 1,
      },
      midway: {
        episodes: 0,
        act: async () => {
          await expect.poll(sleeping).not.toEqual([]);
          const executors = await processesWhere(
            (words, groups) =>
              words.includes("services/executor/src/main.ts") &&
              groups.includes(`pod${executor.metadata.uid}`),
          );
          expect(executors).not.toEqual([]);
          for (const { pid } of executors) process.kill(pid, "SIGKILL");
          say("the executor was killed");
        },
      },
    });
    const { episodes } = await reportOf(computer, experiment);
    say(JSON.stringify(episodes));
    expect(episodes).toMatchObject([{ outcome: "not-remediated" }]);
    const said = await transcriptsOf(computer, experiment);
    expect(said).toContain(atHome);
    // One of its two runs counts.
    expect(said.split(tried)).toHaveLength(2);
    expect(said).not.toContain(reached);
    expect(canary.visits()).toBe(1);
    await expect.poll(sleeping).toEqual([]);
    // What is there waits for a run: a run's pod has a deadline of its own.
    const taken = async () =>
      (await podsOf(product, runners)).filter(
        ({ spec: { activeDeadlineSeconds = 0 } }) => activeDeadlineSeconds < 3600,
      );
    await expect.poll(taken).toEqual([]);
  },
  withinMs,
);

test.skipIf(impossible)("a pod that is not restricted is refused where playbooks run", async () => {
  const container = { name: "one", image: "busybox", securityContext: { privileged: true } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "one" }, spec: { containers: [container] } };
  await expect(product.kubectl([...runners, "create", "-f", "-"], JSON.stringify(pod))).rejects.toThrow(
    /PodSecurity/,
  );
});

/** Ends whatever range runs, with its data. */
async function removeRange(): Promise<void> {
  const namespaces = ["microremed-system", "microremed-executor", "microremed-runners"];
  await product.kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found"]);
  say("the range is removed");
}

let prepared: Promise<void> | undefined;

/** Prepares the cluster as one under test, once, by the pages' commands; then every service has its own account alone. */
async function prepareCluster(): Promise<void> {
  const { computer } = product;
  const [prepare = ""] = await pageCommands("kubernetes.md", "A cluster under test");
  await computer.type("cp $KUBECONFIG admin.kubeconfig");
  await writeChaosMeshKinds(join(computer.dir, "chaos-mesh.json"), computer.dir);
  const whole = `${prepare} --chaos-mesh-manifests chaos-mesh.json 2>&1`;
  expect(await computer.type(whole)).toMatch(/changed: clusterrole.*microremed-injector/);
  expect(await computer.type(whole)).toContain("nothing to change");
  expect(await computer.type("npx microremed doctor --kubeconfig admin.kubeconfig")).toMatch(
    /rights .*complete/,
  );
}

/** A cluster without a range, prepared as one under test. */
async function startOver(): Promise<void> {
  // A port-forward keeps its port when its pod is gone.
  await product.computer.type("kill $(jobs -p) || true");
  prepared ??= prepareCluster();
  await Promise.all([removeRange(), prepared]);
}

test.skipIf(impossible)(
  "prod comes up by the page's commands and runs episodes on the cluster itself; rolled out and drained in the middle, none is lost",
  async () => {
    const { computer, kubectl } = product;
    await startOver();
    const [apply = "", secrets = "", keys = "", ...ready] = await pageCommands("kubernetes.md", "Production");
    const client = await pageCommands("kubernetes.md", "Production", 1);
    const [, ...kubeconfigs] = await pageCommands("kubernetes.md", "A cluster under test");
    for (const command of [apply, secrets, ...kubeconfigs, keys, ...ready]) await computer.type(command);
    for (const command of client.slice(0, -1)) await computer.type(command);
    // The client is connected to the one, and the other has a volume on its node.
    const kept = (await podsOf(product, system)).filter(({ metadata: { name } }) =>
      ["nats-0", "redis-0"].includes(name),
    );
    const drained = ["node-1", "node-2", "node-3"].find((node) =>
      kept.every(({ spec: { nodeName } }) => nodeName !== node),
    );
    if (drained === undefined) throw new TypeError("two pods are on at most two of three nodes");
    // The systems under test are on the others: a drain of theirs would be a change that no remedy made.
    await kubectl(["cordon", drained]);
    const experiment = await submit(computer, {
      command: client.at(-1) ?? "",
      request: { ...realRequest, model: ["reference/runbook", "reference/noop"] },
      midway: {
        episodes: 0,
        act: async () => {
          for (const where of [system, ["-n", "microremed-executor"]])
            await kubectl([...where, "rollout", "restart", "deployment"]);
          await kubectl(["drain", drained, "--ignore-daemonsets", "--delete-emptydir-data", "--force"]);
          say(`rolled out, and drained ${drained}`);
          // Two nodes have no room for it all.
          await kubectl(["uncordon", drained]);
        },
      },
    });
    const { episodes } = await reportOf(computer, experiment);
    say(JSON.stringify(episodes));
    expect(episodes.map(({ model, outcome }) => `${model}: ${outcome}`).toSorted()).toEqual([
      "reference/noop: not-remediated",
      "reference/runbook: remediated",
    ]);
    for (const command of ready) await computer.type(command);
    await kubectl([...system, "rollout", "status", "statefulset", "nats", "--timeout=300s"]);
  },
  withinMs,
);

test.skipIf(impossible)(
  "both halves of MicroRemed-CS come up on two clusters by the page's commands, and an episode runs through them",
  async () => {
    await using stack = new AsyncDisposableStack();
    const { computer, cluster, kubectl } = product;
    await startOver();
    const llm = stack.use(await startProductCluster(1, say));
    const file = join(computer.dir, "both.kubeconfig");
    await writeContexts(file, { "cluster-side": cluster.kubeconfig, "llm-side": llm.cluster.kubeconfig });
    // Both clusters' API servers are reached from this machine's own network.
    const both = stack.use(await startComputer(thisMachine, { ...cluster, kubeconfig: file }, say));
    const [apply = "", ...rest] = await pageCommands("kubernetes.md", "MicroRemed-CS");
    const [, ...kubeconfigs] = await pageCommands("kubernetes.md", "A cluster under test");
    await both.type(apply);
    for (const command of kubeconfigs) await computer.type(command);
    const { gateway } = llm.cluster;
    await addNames(llm, gateway, ["bus.range.example.org", "state.range.example.org"]);
    for (const [service, port] of [
      ["nats-leaf", 7422],
      ["redis-outside", 6379],
    ] as const) {
      const nodePort = ["get", "service", service, "-o", "jsonpath={.spec.ports[0].nodePort}"];
      const to = { host: cluster.address, port: Number(await kubectl([...system, ...nodePort])) };
      stack.use(await openDoor({ host: gateway, port }, to));
    }
    for (const command of rest) await both.type(command);
    const client = await pageCommands("kubernetes.md", "Production", 1);
    for (const command of client.slice(0, -1)) await computer.type(command);
    const experiment = await submit(computer, {
      command: client.at(-1) ?? "",
      request: { ...realRequest, model: "reference/runbook" },
    });
    const { episodes } = await reportOf(computer, experiment);
    say(JSON.stringify(episodes));
    expect(episodes).toMatchObject([{ outcome: "remediated" }]);
  },
  withinMs,
);
