import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment } from "../testing/workloads.ts";

interface Slice extends KubeObject {
  readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
  readonly ports: readonly { readonly port: number }[] | null;
}

const slicesOf = (world: SteppedWorld, service: string): readonly Slice[] =>
  world.store
    .list(resources.endpointSlices, "shop")
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === service) as Slice[];
/** `<address>:<port>` of every endpoint of a Service's slices. */
const backendsOf = (world: SteppedWorld, service: string): string[] =>
  slicesOf(world, service).flatMap(({ endpoints, ports }) =>
    (endpoints ?? []).flatMap(({ addresses }) =>
      addresses.flatMap((ip) => (ports ?? []).map(({ port }) => `${ip}:${port}`)),
    ),
  );

/** A ready Deployment with a Service. */
function aWorld(): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment());
  world.create(resources.services, aService("web", { selector: { app: "web" } }));
  world.stepUntil(() => world.pods().some(isReady));
  world.loop.advance(1000);
  return world;
}

const aService = (name: string, spec: object) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "shop" },
  spec: { ports: [{ port: 80 }], ...spec },
});

test("a slice that a client changes, deletes or makes in the controller's name is put right at once", () => {
  const world = aWorld();
  const [slice] = slicesOf(world, "web");
  const [...right] = backendsOf(world, "web");
  if (!slice) throw new Error("no slice");
  expect(right).toEqual([`${world.pods()[0]?.status.podIP}:80`]);
  const { name } = slice.metadata;

  const wrong = [{ name: "", port: 9, protocol: "TCP" }];
  world.store.mutate(resources.endpointSlices, "shop", name, (one) => ({
    ...one,
    endpoints: [],
    ports: wrong,
  }));
  world.loop.advance(100);
  expect(backendsOf(world, "web")).toEqual(right);

  world.store.mutate(resources.endpointSlices, "shop", name, (one) => ({
    ...one,
    metadata: { ...one.metadata, labels: {} },
  }));
  world.loop.advance(100);
  expect(backendsOf(world, "web")).toEqual(right);

  const { uid: _uid, resourceVersion: _version, ...metadata } = slice.metadata;
  world.create(resources.endpointSlices, {
    ...slice,
    metadata: { ...metadata, name: "web-added" },
    endpoints: [{ addresses: ["192.0.2.7"] }],
  } as never);
  world.loop.advance(100);
  expect(backendsOf(world, "web")).toEqual(right);
  world.store.delete(resources.endpointSlices, "shop", slicesOf(world, "web")[0]?.metadata.name ?? "");
  world.loop.advance(100);
  expect(backendsOf(world, "web")).toEqual(right);
});

test("Endpoints that a client changes stay so until a pod of the Service changes, and change no slice", () => {
  const world = aWorld();
  const right = backendsOf(world, "web");
  const portOf = () =>
    (world.get(resources.endpoints, "web") as unknown as { subsets: Slice[] }).subsets[0]?.ports;
  const subsets = [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ port: 9 }] }];
  world.store.mutate(resources.endpoints, "shop", "web", (one) => ({ ...one, subsets }));
  world.loop.advance(60_000);
  expect(portOf()).toEqual([{ port: 9 }]);
  expect(backendsOf(world, "web")).toEqual(right);
  world.store.delete(resources.pods, "shop", world.pods()[0]?.metadata.name ?? "");
  world.stepUntil(() => world.pods().some(isReady));
  world.loop.advance(1000);
  expect(portOf()).toEqual([{ port: 80, protocol: "TCP" }]);
});

test("pods that listen elsewhere for a named port are in a slice of their own", () => {
  const world = aWorld();
  world.create(
    resources.services,
    aService("named", { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] }),
  );
  const listening = (containerPort: number) => (deployment: KubeObject) => {
    const { template } = deployment.spec;
    const [container] = template.spec.containers;
    const containers = [{ ...container, ports: [{ name: "http", containerPort }] }];
    return {
      ...deployment,
      spec: {
        ...deployment.spec,
        replicas: 2,
        template: { ...template, spec: { ...template.spec, containers } },
      },
    };
  };
  const portsOf = () =>
    slicesOf(world, "named").flatMap(({ ports }) => (ports ?? []).map(({ port }) => port));
  world.store.mutate(resources.deployments, "shop", "web", listening(80));
  world.stepUntil(() => world.pods().length === 2 && world.pods().every(isReady) && portsOf().length === 1);
  expect(portsOf()).toEqual([80]);
  world.store.mutate(resources.deployments, "shop", "web", listening(81));
  world.stepUntil(() => portsOf().length === 2);
  expect(portsOf().toSorted()).toEqual([80, 81]);
});

test("Endpoints of a Service without a selector are mirrored as long as they are there", () => {
  const world = aWorld();
  const endpoints = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "outside", namespace: "shop" },
    subsets: [
      { addresses: [{ ip: "192.0.2.7" }], notReadyAddresses: [{ ip: "192.0.2.8" }], ports: [{ port: 7 }] },
    ],
  };
  world.create(resources.services, aService("outside", {}));
  world.create(resources.endpoints, endpoints);
  world.loop.advance(100);
  expect(backendsOf(world, "outside")).toEqual(["192.0.2.7:7", "192.0.2.8:7"]);
  expect(slicesOf(world, "outside")[0]?.endpoints).toMatchObject([
    ...[{ conditions: { ready: true } }, { conditions: { ready: false } }],
  ]);
  world.store.mutate(resources.endpoints, "shop", "outside", (one) => ({
    ...one,
    metadata: { ...one.metadata, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
  }));
  world.loop.advance(100);
  expect(slicesOf(world, "outside")).toEqual([]);
});

test("a Service that loses its selector keeps its slice, and gets another from its Endpoints", () => {
  const world = aWorld();
  const [right = ""] = backendsOf(world, "web");
  world.store.mutate(
    resources.services,
    "shop",
    "web",
    ({ spec: { selector: _none, ...spec }, ...service }) => ({
      ...service,
      spec,
    }),
  );
  world.loop.advance(1000);
  expect(backendsOf(world, "web")).toEqual([right, right]);
});

test("a Service without pods has a slice whose lists are null, and leads nowhere", () => {
  const world = aWorld();
  world.create(resources.services, aService("empty", { selector: { app: "none" } }));
  world.loop.advance(1000);
  expect(slicesOf(world, "empty")).toMatchObject([{ endpoints: null, ports: null }]);
  expect(backendsOf(world, "empty")).toEqual([]);
});
