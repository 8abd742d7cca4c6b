import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const micro = environments.get("simple-micro");
const timeoutSeconds = 900;

/** An arena in which hello-service has a stressed CPU. */
async function injectedArena() {
  const world = openLocalWorld(micro);
  const arena = arenaOn(world.cluster, micro);
  await prepareArena(arena, { redeploy: false, timeoutSeconds });
  const command = { failure: "cpu-stress", target: "hello-service" };
  const injected = await injectFailure(arena, { ...command, timeoutSeconds: 60 });
  if (injected.status !== "ok") throw new Error(injected.reason);
  return {
    cluster: world.cluster,
    namespace: arena.namespace,
    restore: () => restoreArena(arena, { ...command, timeoutSeconds }),
    [Symbol.dispose]: () => world[Symbol.dispose](),
  };
}

/** A label that others may act on; one that is a user's own, by which a later fault may select; a user's note. */
test.each([
  ["labels", "istio.io/rev"],
  ["labels", "release"],
  ["annotations", "note"],
])("a restore replaces pods on which a remedy has left %s: %s", async (what, label) => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const podOf = async (app: string) =>
    (await cluster.list(kinds.pod, { namespace, labelSelector: `app=${app}` }))[0]?.metadata;
  const [labelled, slowed] = [await podOf("hello-service"), await podOf("time-service")];
  const body = { metadata: { [what]: { [label]: "x" } } };
  await cluster.patch(kinds.pod, namespace, labelled?.name ?? "", { type: "merge", body });
  await cluster.create({
    ...kinds.podNetworkChaos,
    metadata: { name: slowed?.name ?? "", namespace },
    spec: {
      tcs: [
        {
          type: "netem",
          source: "x/y",
          netem: { delay: { latency: "30ms", jitter: "0ms", correlation: "0" } },
        },
      ],
    },
  } as never);
  await cluster.clock.sleep(5000);

  expect(await restore()).toMatchObject({ how: "reset" });
  expect((await podOf("hello-service"))?.uid).not.toBe(labelled?.uid);
  expect((await podOf("time-service"))?.uid).not.toBe(slowed?.uid);
  expect(await cluster.list(kinds.podNetworkChaos, { namespace })).toEqual([]);
});

test("a ReplicaSet that a finalizer holds keeps no restore from its end", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  for (const { metadata } of await cluster.list(kinds.replicaSet, { namespace })) {
    const body = { metadata: { finalizers: ["example.com/hold"] } };
    await cluster.patch(kinds.replicaSet, namespace, metadata.name, { type: "merge", body });
    await cluster.delete(kinds.replicaSet, namespace, metadata.name);
  }
  expect(await restore()).toMatchObject({ how: "reset" });
  const sets = await cluster.list(kinds.replicaSet, { namespace });
  expect(sets.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
});

test("a restore lets go what a finalizer would keep, and takes notes off what controllers made", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const stress = { apiVersion: "chaos-mesh.org/v1alpha1", kind: "StressChaos" };
  const held = [stress, kinds.endpoints, kinds.replicaSet];
  const body = { metadata: { finalizers: ["chaos-mesh/records", "example.com/hold"] } };
  for (const kind of held)
    for (const { metadata } of await cluster.list(kind, { namespace }))
      await cluster.patch(kind, namespace, metadata.name, { type: "merge", body });
  const noted = { metadata: { annotations: { "example.com/note": "x" } } };
  for (const kind of [kinds.endpoints, kinds.replicaSet])
    for (const { metadata } of await cluster.list(kind, { namespace }))
      await cluster.patch(kind, namespace, metadata.name, { type: "merge", body: noted });
  const { how, damage } = await restore();
  expect(how).toBe("reset");
  const found = damage?.changes.map((one) => `${one.class} ${one.object.split("-")[0]}`);
  expect([...new Set(found)].sort()).toEqual([
    ...["changed Endpoints/hello", "changed Endpoints/time", "changed ReplicaSet/hello"],
    ...["changed ReplicaSet/time", "spent StressChaos/cpu"],
  ]);
  const left = (await Promise.all(held.map((kind) => cluster.list(kind, { namespace })))).flat();
  expect(left.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
  expect(left.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}))).not.toContain(
    "example.com/note",
  );
});

test("a restore leaves no revision to which a rollback would go wrong", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const sets = () => cluster.list(kinds.replicaSet, { namespace });
  const [current] = (await sets()).filter(({ metadata }) => metadata.name.startsWith("time-service"));
  if (!current) throw new Error("time-service has no ReplicaSet");
  const highest = "9223372036854775807";
  const counted = "deployment.kubernetes.io/revision";
  const { name, labels, ownerReferences = [] } = current.metadata;
  const body = { metadata: { annotations: { [counted]: highest } } };
  await cluster.patch(kinds.replicaSet, namespace, name, { type: "merge", body });
  const former = structuredClone(current) as { spec: Record<string, unknown> };
  const other = { ...labels, "pod-template-hash": "other" };
  Object.assign(former.spec, {
    replicas: 0,
    selector: { matchLabels: other },
    template: { metadata: { labels: other }, spec: { containers: [{ name: "x", image: "no-such:image" }] } },
  });
  const metadata = { name: "time-service-other", namespace, labels: other, ownerReferences };
  await cluster.create({ ...kinds.replicaSet, metadata, spec: former.spec } as never);
  await cluster.clock.sleep(5000);

  const { how, damage } = await restore();
  expect(how).toBe("reset");
  expect(damage?.changes.map((one) => `${one.class} ${one.object}`)).toEqual(
    expect.arrayContaining([`changed ReplicaSet/${name}`, "changed ReplicaSet/time-service-other"]),
  );
  // Its controller counts it when it sees the change.
  await cluster.clock.sleep(5000);
  const left = await sets();
  expect(left.map((set) => set.metadata.name)).not.toContain("time-service-other");
  expect(left.find((set) => set.metadata.name === name)?.metadata.annotations?.[counted]).toBe("1");
});

test("a restore puts back the port of the nodes by which users come", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const nodePort = async () => {
    const service = await cluster.get(kinds.service, namespace, "hello-service");
    return service?.spec?.ports?.[0]?.nodePort;
  };
  const before = await nodePort();
  const body = [{ op: "replace", path: "/spec/ports/0/nodePort", value: 32_100 }];
  await cluster.patch(kinds.service, namespace, "hello-service", { type: "json", body });
  const { how, damage } = await restore();
  expect(how).toBe("reset");
  expect(damage?.changes).toContainEqual(
    expect.objectContaining({ object: "Service/hello-service", class: "changed" }),
  );
  expect(await nodePort()).toBe(before);
});

test("a restore puts Endpoints right that a remedy has led elsewhere", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const portOf = async () =>
    (await cluster.get(kinds.endpoints, namespace, "time-service"))?.subsets?.[0]?.ports?.[0]?.port;
  const before = await portOf();
  const body = [{ op: "replace", path: "/subsets/0/ports/0/port", value: 9 }];
  await cluster.patch(kinds.endpoints, namespace, "time-service", { type: "json", body });
  expect(await portOf()).toBe(9);
  const { how, damage } = await restore();
  expect(how).toBe("reset");
  expect(damage?.changes).toContainEqual(
    expect.objectContaining({ object: "Endpoints/time-service", class: "changed" }),
  );
  await cluster.clock.sleep(1000);
  expect(await portOf()).toBe(before);
});

test("a restore lets the cluster put back certificates that a remedy has frozen", async () => {
  using injected = await injectedArena();
  const { cluster, namespace, restore } = injected;
  const read = async () => (await cluster.get(kinds.configMap, namespace, "kube-root-ca.crt"))?.["data"];
  const before = await read();
  const body = { data: { "ca.crt": "none" }, immutable: true };
  await cluster.patch(kinds.configMap, namespace, "kube-root-ca.crt", { type: "merge", body });
  await cluster.clock.sleep(60_000);
  expect(await read()).toEqual({ "ca.crt": "none" });
  const { how, damage } = await restore();
  expect(how).toBe("reset");
  expect(damage?.changes).toContainEqual(
    expect.objectContaining({ object: "ConfigMap/kube-root-ca.crt", class: "breaks" }),
  );
  await cluster.clock.sleep(1000);
  expect(await read()).toEqual(before);
});
