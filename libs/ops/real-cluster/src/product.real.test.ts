import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { whyImpossible } from "./impossible.ts";
import { writeChaosMeshKinds } from "./testing/chaos-mesh-kinds.ts";
import { pageCommands } from "./testing/page-commands.ts";
import { type ProductCluster, startProductCluster } from "./testing/product-cluster.ts";
import { reportOf, submit } from "./testing/submit.ts";

const impossible = await whyImpossible(["buildah", "debootstrap"]);
const withinMs = 3_600_000;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
let product: ProductCluster;

if (impossible) say(`The tests of the range on a real Kubernetes are skipped: ${impossible}`);

beforeAll(async () => {
  if (impossible) return;
  product = await startProductCluster(3, say);
  return () => product[Symbol.asyncDispose]();
}, withinMs);

const system = ["-n", "microremed-system"];
const runners = ["-n", "microremed-runners"];
const services = ["scheduler", "injector", "executor", "verifier", "remediator"];
const faults = ["cpu-stress", "pod-fail", "network-loss", "memory-stress", "pod-config-error"];
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

test.skipIf(impossible)("a pod that is not restricted is refused where playbooks run", async () => {
  const container = { name: "one", image: "busybox", securityContext: { privileged: true } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "one" }, spec: { containers: [container] } };
  await expect(product.kubectl([...runners, "create", "-f", "-"], JSON.stringify(pod))).rejects.toThrow(
    /PodSecurity/,
  );
});

test.skipIf(impossible)(
  "the page's command prepares it as a cluster under test; the second time nothing changes, and doctor finds all of it",
  async () => {
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
  },
  withinMs,
);
