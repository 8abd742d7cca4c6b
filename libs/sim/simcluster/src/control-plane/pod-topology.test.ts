import { isReady, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment, aPod } from "../testing/workloads.ts";

const selector = { labelSelector: { matchLabels: { app: "web" } }, topologyKey: "kubernetes.io/hostname" };
const apart = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [selector] } },
};
const together = {
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [selector] } },
};

function worldOf(spec: object, replicas: number): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment({ replicas, spec }));
  world.loop.advance(15_000);
  return world;
}

const nodesOf = (world: SteppedWorld): readonly string[] =>
  world.pods().flatMap((pod) => pod.spec.nodeName ?? []);
const whyPending = (world: SteppedWorld): string =>
  String(world.events("FailedScheduling")[0]?.["message"] ?? "");

test("keeps pods apart, and says why the fourth finds no node", () => {
  const world = worldOf(apart, 4);
  expect(new Set(nodesOf(world)).size).toBe(3);
  expect(nodesOf(world)).toHaveLength(3);
  expect(whyPending(world)).toBe(
    "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  );
});

test("keeps others away from a pod that wants to be alone", () => {
  const world = worldOf(apart, 3);
  const pod = aPod({ name: "stranger" });
  world.create(resources.pods, { ...pod, metadata: { ...pod.metadata, labels: { app: "web" } } });
  world.loop.advance(5000);
  expect(whyPending(world)).toContain("3 node(s) didn't satisfy existing pods anti-affinity rules");
});

test("puts pods together, the first one anywhere", () => {
  expect(new Set(nodesOf(worldOf(together, 5))).size).toBe(1);
  const lonely = {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { ...selector, labelSelector: { matchLabels: { app: "nobody" } } },
        ],
      },
    },
  };
  expect(whyPending(worldOf(lonely, 1))).toContain("3 node(s) didn't match pod affinity rules");
});

test("spreads pods evenly, and not at all over a label that no node has", () => {
  const spread = (topologyKey: string) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", labelSelector: selector.labelSelector },
    ],
  });
  const counts = Map.groupBy(nodesOf(worldOf(spread("kubernetes.io/hostname"), 6)), (node) => node);
  expect([...counts.values()].map((each) => each.length)).toEqual([2, 2, 2]);
  expect(whyPending(worldOf(spread("topology.kubernetes.io/zone"), 1))).toContain(
    "3 node(s) didn't match pod topology spread constraints (missing required label)",
  );
});

test("evicts what does not tolerate a NoExecute taint, and the rest when its time is up", () => {
  const world = worldOf({ affinity: together.affinity }, 1);
  const tolerant = { key: "maintenance", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 };
  const node = nodesOf(world)[0] ?? "";
  world.create(
    resources.pods,
    aPod({
      name: "tolerant",
      spec: { tolerations: [tolerant], nodeSelector: { "kubernetes.io/hostname": node } },
    }),
  );
  world.stepUntil(() => world.pods().length === 2 && world.pods().every(isReady));
  world.store.mutate(resources.nodes, undefined, node, (object) => ({
    ...object,
    spec: { ...object.spec, taints: [{ key: "maintenance", effect: "NoExecute" }] },
  }));
  world.loop.advance(10_000);
  expect(world.events("TaintManagerEviction").map((event) => event["message"])).toHaveLength(1);
  expect(nodesOf(world).filter((each) => each === node)).toHaveLength(1);
  expect(world.get(resources.pods, "tolerant")?.metadata.deletionTimestamp).toBeUndefined();
  world.loop.advance(60_000);
  expect(world.get(resources.pods, "tolerant")).toBeUndefined();
});

test("cordoned nodes get their taint, and kubelets renew their leases", () => {
  const world = createSteppedWorld();
  world.store.mutate(resources.nodes, undefined, "node-2", (node) => ({
    ...node,
    spec: { ...node.spec, unschedulable: true },
  }));
  world.loop.advance(30_000);
  const taints = world.store.get(resources.nodes, undefined, "node-2")?.spec.taints;
  expect(taints).toMatchObject([{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]);
  const lease = world.store.get(resources.leases, "kube-node-lease", "node-2");
  expect(Date.parse(lease?.spec.renewTime)).toBe(world.loop.now());
  expect(lease?.spec).toMatchObject({ holderIdentity: "node-2", leaseDurationSeconds: 40 });
});

test("takes pods of a node that is not ready out of service, until its kubelet says otherwise", () => {
  const world = worldOf({}, 3);
  const node = nodesOf(world)[0] ?? "";
  world.store.mutate(
    resources.nodes,
    undefined,
    node,
    (object) => ({
      ...object,
      status: {
        ...object.status,
        conditions: object.status.conditions.map((each: { type: string }) =>
          each.type === "Ready" ? { ...each, status: "False" } : each,
        ),
      },
    }),
    { status: true },
  );
  world.loop.advance(300);
  const keys = () =>
    (world.store.get(resources.nodes, undefined, node)?.spec.taints ?? []).map(
      (each: { key: string }) => each.key,
    );
  expect(keys()).toEqual(["node.kubernetes.io/not-ready", "node.kubernetes.io/not-ready"]);
  expect(world.events("NodeNotReady").length).toBeGreaterThan(0);
  world.stepUntil(() => keys().length === 0, 15);
});
