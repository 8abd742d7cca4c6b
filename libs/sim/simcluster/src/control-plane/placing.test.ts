import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment } from "../testing/workloads.ts";

function worldOf(spec: object, replicas: number, prepare?: (world: SteppedWorld) => void): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  prepare?.(world);
  world.create(resources.deployments, aDeployment({ replicas, spec }));
  world.loop.advance(15_000);
  return world;
}

const nodesOf = (world: SteppedWorld): readonly string[] =>
  world.pods().flatMap((pod) => pod.spec.nodeName ?? []);
const withHostPort = (hostPort: number) => ({
  containers: [{ name: "web", image: "nginx:1.25", ports: [{ containerPort: 80, hostPort }] }],
});

test("puts one pod with a port of the node on each node, and says why the fourth finds none", () => {
  const world = worldOf(withHostPort(8080), 4);
  expect(new Set(nodesOf(world)).size).toBe(3);
  expect(nodesOf(world)).toHaveLength(3);
  expect(world.events("FailedScheduling")[0]?.["message"]).toBe(
    "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  );
});

test("leaves pods that name another scheduler to it, without a word", () => {
  const world = worldOf({ schedulerName: "batch-scheduler" }, 1);
  expect(nodesOf(world)).toEqual([]);
  expect(world.events("FailedScheduling")).toEqual([]);
  expect(world.pods()).toHaveLength(1);
});

test.each([
  ["ReadWriteOncePod", 1],
  ["ReadWriteOnce", 3],
])("a claim with %s is mounted by %i of three pods", (mode, count) => {
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }];
  const containers = [{ name: "web", image: "nginx:1.25", volumeMounts: [{ name: "v", mountPath: "/d" }] }];
  const world = worldOf({ containers, volumes }, 3, ({ create }) => {
    create(resources.persistentVolumeClaims, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "shop" },
      spec: { accessModes: [mode], resources: { requests: { storage: "1Gi" } } },
    });
  });
  expect(nodesOf(world)).toHaveLength(count);
  const messages = world.events("FailedScheduling").map((event) => event["message"]);
  if (count === 1)
    expect(messages).toContain(
      "0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
    );
});

/** A volume that one node reaches, for the claim `data`, which asks for it by its name. */
function claimOnNode({ create }: SteppedWorld, node: string): void {
  const size = { storage: "1Gi" };
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "" };
  const values = [node];
  create(resources.persistentVolumes, {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk" },
    spec: {
      ...spec,
      capacity: size,
      claimRef: { namespace: "shop", name: "data" },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values }] },
          ],
        },
      },
    },
  });
  create(resources.persistentVolumeClaims, {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "shop" },
    spec: { ...spec, volumeName: "disk", resources: { requests: size } },
  });
}

const withData = {
  containers: [{ name: "web", image: "nginx:1.25" }],
  volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
};

test("pods run where their volume can be reached", () => {
  const world = worldOf(withData, 3, (prepared) => claimOnNode(prepared, "node-2"));
  expect(nodesOf(world)).toEqual(["node-2", "node-2", "node-2"]);
});

test("a pod that must not run where its volume is waits, and says why", () => {
  const elsewhere = { nodeSelector: { "kubernetes.io/hostname": "node-1" } };
  const world = worldOf({ ...withData, ...elsewhere }, 1, (prepared) => claimOnNode(prepared, "node-2"));
  expect(nodesOf(world)).toEqual([]);
  expect(world.events("FailedScheduling").map((event) => event["message"])).toContainEqual(
    expect.stringMatching(
      /^0\/3 nodes are available: 1 node\(s\) had volume node affinity conflict, 2 node\(s\) didn't match Pod's node affinity\/selector/,
    ),
  );
});
