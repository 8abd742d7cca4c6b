import { environments } from "@microremed/environments";
import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createWorld } from "./world.ts";

/** A cluster with its own pods and one of a user's, all of them ready. */
function createCluster() {
  const world = createWorld({ seed: 1, environments: [environments.get("simple-micro")], ownPods: true });
  const { store, loop } = world;
  world.apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "box", namespace: "default" },
    spec: { containers: [{ name: "box", image: "busybox", command: ["sleep", "1d"] }] },
  });
  loop.advance(60_000);
  const podsOf = (labels: Readonly<Record<string, string>>): readonly KubeObject[] =>
    store
      .list(resources.pods)
      .filter(({ metadata }) => Object.entries(labels).every(([key, is]) => metadata.labels?.[key] === is));
  const resolved = (name: string): readonly string[] => {
    const from = world.machine.byPod("default", "box");
    return from ? world.network.resolve(from, name) : [];
  };
  return { ...world, podsOf, resolved };
}

test("a cluster runs what every cluster runs, and all of it is ready, without a restart", () => {
  using world = createCluster();
  const pods = world.store.list(resources.pods);
  expect(pods.filter((pod) => !isReady(pod)).map(({ metadata }) => metadata.name)).toEqual([]);
  const restarts = pods.flatMap(({ status }) => status?.containerStatuses ?? []);
  expect(restarts.filter(({ restartCount }) => restartCount > 0)).toEqual([]);
  const count = (labels: Readonly<Record<string, string>>) => world.podsOf(labels).length;
  expect([count({ "k8s-app": "kube-dns" }), count({ "k8s-app": "kube-proxy" })]).toEqual([2, 3]);
  const exporters = world.podsOf({ "app.kubernetes.io/name": "prometheus-node-exporter" });
  expect(exporters.map(({ spec }) => spec.nodeName).sort()).toEqual(["node-1", "node-2", "node-3"]);
  expect(world.podsOf({ tier: "control-plane" }).map(({ metadata }) => metadata.name)).toEqual([
    ...["etcd-node-1", "kube-apiserver-node-1", "kube-controller-manager-node-1", "kube-scheduler-node-1"],
  ]);
});

test("names are resolved while a pod of the name server is ready", () => {
  using world = createCluster();
  const { store, loop, resolved } = world;
  const scaled = (replicas: number): void => {
    store.mutate(resources.deployments, "kube-system", "coredns", (found) => ({
      ...found,
      spec: { ...found.spec, replicas },
    }));
    loop.advance(60_000);
  };
  expect(resolved("kubernetes")).toEqual(["10.96.0.1"]);
  scaled(0);
  expect([resolved("kubernetes"), resolved("10.96.0.1")]).toEqual([[], ["10.96.0.1"]]);
  scaled(1);
  expect(resolved("kubernetes")).toEqual(["10.96.0.1"]);
  store.delete(resources.services, "kube-system", "kube-dns", {});
  expect(resolved("kubernetes")).toEqual([]);
});

test("the name server goes by its Corefile, after a while or with new pods, and not by one that it cannot read", () => {
  using world = createCluster();
  const { store, loop, resolved, podsOf } = world;
  const rule = "template IN A {\n match ^kubernetes\\.default\\.\n rcode NXDOMAIN\n fallthrough\n }\n";
  const found = store.get(resources.configMaps, "kube-system", "coredns");
  const { Corefile: right = "" } = (found?.["data"] ?? {}) as { readonly Corefile?: string };
  const write = (Corefile: string) =>
    store.mutate(resources.configMaps, "kube-system", "coredns", (found) => ({
      ...found,
      data: { Corefile },
    }));
  const restart = () => {
    for (const { metadata } of podsOf({ "k8s-app": "kube-dns" }))
      store.delete(resources.pods, "kube-system", metadata.name, { gracePeriodSeconds: 0 });
    loop.advance(20_000);
  };
  const wrong = right.replace("    kubernetes ", `${rule}    kubernetes `);
  write(wrong);
  loop.advance(45_000);
  expect(resolved("kubernetes")).toEqual(["10.96.0.1"]);
  loop.advance(60_000);
  expect([resolved("kubernetes"), resolved("kube-dns.kube-system")]).toEqual([[], ["10.96.0.10"]]);
  write(right.replace("ready", "raedy"));
  loop.advance(120_000);
  expect(resolved("kubernetes")).toEqual([]);
  write(right);
  restart();
  expect(resolved("kubernetes")).toEqual(["10.96.0.1"]);
  write(right.replace("ready", "raedy"));
  restart();
  expect(resolved("kubernetes")).toEqual([]);
  const states = podsOf({ "k8s-app": "kube-dns" }).map(({ status }) => status?.containerStatuses[0].state);
  expect(states.every((state) => state.running === undefined)).toBe(true);
});

test("the API server is reached at its Service and on its node, and other ports of a node are closed", () => {
  using world = createCluster();
  const from = world.machine.byPod("default", "box") ?? "node";
  const connect = (host: string, port: number) => world.network.tcpConnect(from, host, port, 1000);
  expect(connect("kubernetes", 443).ok).toBe(true);
  expect(connect("192.168.10.11", 6443).ok).toBe(true);
  expect([connect("192.168.10.11", 7), connect("192.168.10.12", 6443)].map(({ error }) => error)).toEqual([
    ...["connection refused", "connection refused"],
  ]);
});

test("a static pod that is deleted comes back with its name, as another one", () => {
  using world = createCluster();
  const name = "kube-scheduler-node-1";
  const before = world.store.get(resources.pods, "kube-system", name);
  expect(before?.spec).toMatchObject({ nodeName: "node-1", hostNetwork: true, priority: 2_000_001_000 });
  expect(before?.spec.volumes.map((volume: { name: string }) => volume.name)).toEqual(["kubeconfig"]);
  world.store.delete(resources.pods, "kube-system", name, { gracePeriodSeconds: 0 });
  world.loop.advance(30_000);
  const after = world.store.get(resources.pods, "kube-system", name);
  expect(after && isReady(after)).toBe(true);
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
});
