import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment, aPod } from "../testing/workloads.ts";

const nodeOf = (world: SteppedWorld, name: string): KubeObject | undefined =>
  world.store.get(resources.nodes, undefined, name);
const readyCondition = (world: SteppedWorld, name: string) =>
  nodeOf(world, name)?.status.conditions.find((each: { type: string }) => each.type === "Ready");
const taintsOf = (world: SteppedWorld, name: string): readonly string[] =>
  (nodeOf(world, name)?.spec?.taints ?? []).map(
    (taint: { key: string; effect: string }) => `${taint.key}:${taint.effect}`,
  );

/** Three replicas, Ready; the node of one of them. */
function deployed(): { readonly world: SteppedWorld; readonly node: string; readonly lost: KubeObject } {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment({ replicas: 3, spec: { tolerations: leaveSoon } }));
  world.stepUntil(() => world.pods().length === 3 && world.pods().every(isReady));
  world.loop.advance(15_000);
  const [lost] = world.pods();
  if (!lost) throw new Error("no pod");
  return { world, node: lost.spec.nodeName, lost };
}

const leaveSoon = ["not-ready", "unreachable"].map((name) => ({
  key: `node.kubernetes.io/${name}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 30,
}));

test("a silent kubelet makes its node NotReady after 40 s, tainted, and its pods unready", () => {
  const { world, node, lost } = deployed();
  world.kubelet.nodes.set(node, "kubelet-stopped");
  const seconds = world.stepUntil(() => readyCondition(world, node)?.status === "Unknown");
  expect(seconds).toBeGreaterThan(29);
  expect(seconds).toBeLessThan(47);
  expect(readyCondition(world, node)).toMatchObject({
    reason: "NodeStatusUnknown",
    message: "Kubelet stopped posting node status.",
  });
  world.loop.advance(1000);
  expect(taintsOf(world, node)).toEqual([
    "node.kubernetes.io/unreachable:NoSchedule",
    "node.kubernetes.io/unreachable:NoExecute",
  ]);
  expect(isReady(world.get(resources.pods, lost.metadata.name) ?? lost)).toBe(false);
  expect(world.events("NodeNotReady").map((event) => event["message"])).toEqual(
    expect.arrayContaining([`Node ${node} status is now: NodeNotReady`, "Node is not ready"]),
  );
  expect(world.machine.byPod("shop", lost.metadata.name)?.containers.size).toBe(1);
});

test("its pods are evicted when their toleration is over, stay Terminating, and are replaced elsewhere", () => {
  const { world, node, lost } = deployed();
  world.kubelet.nodes.set(node, "kubelet-stopped");
  world.stepUntil(() => world.pods().filter(isReady).length === 3 && world.pods().length > 3, 240);
  const left = world.get(resources.pods, lost.metadata.name);
  expect(left?.metadata.deletionTimestamp).toBeDefined();
  for (const pod of world.pods().filter(isReady)) expect(pod.spec.nodeName).not.toBe(node);
  world.loop.advance(600_000);
  expect(world.get(resources.pods, lost.metadata.name)).toBeDefined();
  world.kubelet.nodes.set(node, "running");
  world.stepUntil(() => world.get(resources.pods, lost.metadata.name) === undefined);
  world.stepUntil(() => isReady(nodeOf(world, node) ?? lost) && taintsOf(world, node).length === 0);
  expect(world.events("NodeReady")).toHaveLength(1);
});

test("a node that is off and on again restarts its containers in new sandboxes", () => {
  const { world, node, lost } = deployed();
  const before = world.machine.byPod("shop", lost.metadata.name);
  before?.netem.push({ owner: "t", delayMs: 9, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 });
  world.kubelet.nodes.set(node, "off");
  expect(world.machine.byPod("shop", lost.metadata.name)).toBeUndefined();
  world.loop.advance(20_000);
  world.kubelet.nodes.set(node, "running");
  world.stepUntil(() => isReady(world.get(resources.pods, lost.metadata.name) ?? lost), 60);
  world.loop.advance(2000);
  const [status] = world.get(resources.pods, lost.metadata.name)?.status.containerStatuses ?? [];
  expect(status).toMatchObject({
    restartCount: 1,
    lastState: { terminated: { exitCode: 255, reason: "Unknown" } },
  });
  const sandbox = world.machine.byPod("shop", lost.metadata.name);
  expect([sandbox?.uid, sandbox?.netem.length]).toEqual([lost.metadata.uid, 0]);
});

test("a pod that is force-deleted behind a silent kubelet runs on until the kubelet is back", () => {
  const { world, node, lost } = deployed();
  world.kubelet.nodes.set(node, "kubelet-stopped");
  world.store.delete(resources.pods, "shop", lost.metadata.name, { gracePeriodSeconds: 0 });
  world.loop.advance(5000);
  expect(world.machine.sandboxes.has(lost.metadata.uid)).toBe(true);
  world.kubelet.nodes.set(node, "running");
  expect(world.machine.sandboxes.has(lost.metadata.uid)).toBe(false);
});

test("pods of a node that does not exist run nowhere and are collected, as are those of a deleted node", () => {
  const { world, node } = deployed();
  world.create(resources.pods, {
    ...aPod({ name: "stray" }),
    spec: { ...aPod({}).spec, nodeName: "nowhere" },
  });
  world.loop.advance(15_000);
  expect(world.machine.byPod("shop", "stray")).toBeUndefined();
  expect(world.get(resources.pods, "stray")?.status?.phase ?? "Pending").toBe("Pending");
  world.store.delete(resources.nodes, undefined, node);
  world.stepUntil(() => world.get(resources.pods, "stray") === undefined, 90);
  const moved = (): boolean =>
    world.pods().length === 3 && world.pods().every((pod) => pod.spec.nodeName !== node && isReady(pod));
  world.stepUntil(moved, 120);
  world.kubelet.nodes.set(node, "off");
  world.kubelet.nodes.set(node, "running");
  expect(isReady(nodeOf(world, node) ?? ({} as KubeObject))).toBe(true);
});

test("pods of a node that is out of service leave at once", () => {
  const { world, node, lost } = deployed();
  world.kubelet.nodes.set(node, "off");
  world.stepUntil(() => readyCondition(world, node)?.status === "Unknown");
  world.store.mutate(resources.nodes, undefined, node, (fresh) => ({
    ...fresh,
    spec: {
      ...fresh.spec,
      taints: [
        ...(fresh.spec?.taints ?? []),
        { key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoExecute" },
      ],
    },
  }));
  world.stepUntil(() => world.get(resources.pods, lost.metadata.name) === undefined, 60);
});
