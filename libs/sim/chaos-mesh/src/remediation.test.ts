import { expect, test } from "vitest";
import { pauseImage } from "./kinds/pod-chaos.ts";
import { chaosRef, podsRef } from "./model/refs.ts";
import { type ChaosWorld, createChaosWorld } from "./testing/chaos-world.ts";

const selector = { labelSelectors: { app: "cart" } };
const all = { selector, mode: "all" };

/** The kinds behind the seven failures, and the other kinds that last. */
const faults = {
  cpu: ["stresschaos", { ...all, stressors: { cpu: { workers: 10, load: 100 } } }],
  memory: ["stresschaos", { ...all, stressors: { memory: { workers: 2, size: "256MiB" } } }],
  loss: ["networkchaos", { ...all, action: "loss", loss: { loss: "50" } }],
  delay: ["networkchaos", { ...all, action: "delay", delay: { latency: "1000ms" } }],
  bandwidth: [
    "networkchaos",
    { ...all, action: "bandwidth", bandwidth: { rate: "1mbps", limit: 20_000, buffer: 10_000 } },
  ],
  partition: ["networkchaos", { ...all, action: "partition" }],
  io: [
    "iochaos",
    { ...all, action: "latency", volumePath: "/data", path: "/data/**/*", delay: "5s", percent: 50 },
  ],
  dns: ["dnschaos", { ...all, action: "error", patterns: ["redis*"] }],
  "pod-failure": ["podchaos", { ...all, action: "pod-failure" }],
  time: ["timechaos", { ...all, timeOffset: "-1h" }],
  http: ["httpchaos", { ...all, target: "Request", port: 8080, delay: "1s" }],
} as const;

type FaultName = keyof typeof faults;

function isFaulty(world: ChaosWorld): boolean {
  const sandbox = world.machine.byPod("shop", "cart");
  const pod = world.store.get(podsRef, "shop", "cart");
  const container = sandbox?.containers.get("cart");
  return Boolean(
    container?.processes.some((process) => process.owner && process.kind !== "io-injector") ||
      container?.ioFaults.length ||
      container?.httpFaults.length ||
      container?.clockShift ||
      sandbox?.netem.length ||
      sandbox?.drops.length ||
      sandbox?.dnsFault ||
      pod?.spec.containers[0].image === pauseImage,
  );
}

interface Injected {
  readonly world: ChaosWorld;
  readonly plural: string;
}

function injected(name: FaultName, more: object = {}): Injected {
  const world = createChaosWorld();
  world.addPod("cart");
  const [plural, spec] = faults[name];
  world.create(plural, "x", { ...spec, ...more });
  world.loop.advance(5000);
  expect(world.holds(plural, "x")).toEqual(["Selected", "AllInjected"]);
  expect(isFaulty(world)).toBe(true);
  return { world, plural };
}

function remove({ world, plural }: Injected): void {
  world.store.delete(chaosRef(plural), "shop", "x");
  world.loop.advance(5000);
}

const remedies = {
  "deleting the experiment": remove,
  "pausing it": ({ world, plural }: Injected) => {
    world.annotate(plural, "x", { "experiment.chaos-mesh.org/pause": "true" });
    world.loop.advance(5000);
  },
  "letting it expire": ({ world }: Injected) => world.loop.advance(40_000),
  "replacing the pod": ({ world }: Injected) => {
    world.removePod("cart");
    world.addPod("cart-2");
    world.addPod("cart");
    world.loop.advance(20_000);
  },
  "a container restart": ({ world }: Injected) => {
    world.restartContainer("cart");
    world.loop.advance(20_000);
  },
  "a chaos-daemon restart": ({ world }: Injected) => {
    world.chaos.restartDaemon("node-1");
    world.loop.advance(20_000);
  },
} as const;

type Remedy = keyof typeof remedies;

const names = Object.keys(faults) as FaultName[];
const always: readonly Remedy[] = [
  "deleting the experiment",
  "pausing it",
  "letting it expire",
  "replacing the pod",
];
const inContainer: readonly FaultName[] = ["cpu", "memory", "io", "time", "http"];
const heldByDaemon: readonly FaultName[] = ["cpu", "memory", "io", "http"];

/** Every cell: which remedy ends which fault. */
const cells: readonly (readonly [FaultName, Remedy, boolean])[] = names.flatMap((name) => [
  ...always.map((remedy) => [name, remedy, true] as const),
  [name, "a container restart", inContainer.includes(name)] as const,
  [name, "a chaos-daemon restart", heldByDaemon.includes(name)] as const,
]);

test.each(cells)("%s: %s ends it: %s", (name, remedy, ends) => {
  const expires = remedy === "letting it expire" ? { duration: "30s" } : {};
  const fault = injected(name, expires);
  remedies[remedy](fault);
  expect(isFaulty(fault.world)).toBe(!ends);
});

const unseen: readonly Remedy[] = ["replacing the pod", "a container restart", "a chaos-daemon restart"];

test.each(names.flatMap((name) => unseen.map((remedy) => [name, remedy] as const)))(
  "%s: after %s the experiment still says that all is injected, and injects nothing again",
  (name, remedy) => {
    const fault = injected(name);
    const before = fault.world.get(fault.plural, "x").status.experiment.containerRecords;
    remedies[remedy](fault);
    expect(fault.world.holds(fault.plural, "x")).toEqual(["Selected", "AllInjected"]);
    expect(fault.world.get(fault.plural, "x").status.experiment.containerRecords).toEqual(before);
  },
);

/** What the daemon forgot can't be taken back: until its pod goes, the experiment keeps its finalizer. */
const stuck: readonly (readonly [FaultName, Remedy])[] = [
  ["time", "a chaos-daemon restart"],
  ["http", "a chaos-daemon restart"],
  ["time", "replacing the pod"],
];
const isStuck = (name: FaultName, remedy: Remedy): boolean =>
  stuck.some((each) => each[0] === name && each[1] === remedy);

test.each(names.flatMap((name) => unseen.map((remedy) => [name, remedy, isStuck(name, remedy)] as const)))(
  "%s: after %s the experiment hangs on its finalizer when it is deleted: %s",
  (name, remedy, hangs) => {
    const fault = injected(name);
    remedies[remedy](fault);
    remove(fault);
    expect(fault.world.find(fault.plural, "x") !== undefined).toBe(hangs);
    if (!hangs) return;
    const failed = fault.world.events("x").filter(({ reason }) => reason === "Failed");
    expect(failed.at(-1)?.message).toMatch(/^Failed to recover chaos: .*TaskID .* not found$/);
    fault.world.removePod("cart");
    fault.world.loop.advance(120_000);
    expect(fault.world.find(fault.plural, "x")).toBeUndefined();
  },
);

test("a killed memory worker comes back within a second, a killed supervisor ends the stress", () => {
  const { world } = injected("memory");
  const processes = world.machine.byPod("shop", "cart")?.containers.get("cart")?.processes ?? [];
  const workers = () => processes.filter((process) => process.command === "memStress: worker");
  expect(workers().map((worker) => worker.memoryBytes)).toEqual([128 << 20, 128 << 20]);
  processes.splice(processes.indexOf(workers()[0] as never), 1);
  world.loop.advance(1000);
  expect(workers()).toHaveLength(2);
  const left = processes.filter((process) => process.kind === "main");
  processes.splice(0, processes.length, ...left);
  world.loop.advance(5000);
  expect(workers()).toHaveLength(0);
});

test("emptying the child's lists ends a network fault; deleting the child does not, deleting the experiment still does", () => {
  const { world } = injected("loss");
  const child = world.get("podnetworkchaos", "cart");
  expect(child.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Pod", name: "cart" });
  expect(child.spec.tcs).toEqual([
    { type: "netem", source: "shop/x", loss: { loss: "50", correlation: "0" } },
  ]);
  world.store.delete(chaosRef("podnetworkchaos"), "shop", "cart");
  world.loop.advance(5000);
  expect(isFaulty(world)).toBe(true);
  world.store.delete(chaosRef("networkchaos"), "shop", "x");
  world.loop.advance(5000);
  expect([isFaulty(world), world.find("networkchaos", "x")]).toEqual([false, undefined]);

  const edited = injected("delay").world;
  edited.store.mutate(chaosRef("podnetworkchaos"), "shop", "cart", (object) => ({
    ...object,
    spec: { tcs: [] },
  }));
  edited.loop.advance(2000);
  expect(isFaulty(edited)).toBe(false);
});

test("clearing the qdisc by hand ends netem until the child changes", () => {
  const { world } = injected("loss");
  world.machine.byPod("shop", "cart")?.netem.splice(0);
  world.loop.advance(600_000);
  expect(isFaulty(world)).toBe(false);
});

test("emptying PodIOChaos ends a disk fault; after deleting it toda stays even when the experiment is deleted", () => {
  const { world } = injected("io");
  world.store.delete(chaosRef("podiochaos"), "shop", "cart");
  world.store.delete(chaosRef("iochaos"), "shop", "x");
  world.loop.advance(10_000);
  expect([isFaulty(world), world.find("iochaos", "x")]).toEqual([true, undefined]);

  const edited = injected("io").world;
  edited.store.mutate(chaosRef("podiochaos"), "shop", "cart", (object) => ({
    ...object,
    spec: { ...object.spec, actions: [] },
  }));
  edited.loop.advance(5000);
  expect(isFaulty(edited)).toBe(false);
});

test("emptying PodHttpChaos ends an HTTP fault", () => {
  const { world } = injected("http");
  world.store.mutate(chaosRef("podhttpchaos"), "shop", "cart", (object) => ({
    ...object,
    spec: { ...object.spec, rules: [] },
  }));
  world.loop.advance(5000);
  expect(isFaulty(world)).toBe(false);
});

test.each<[FaultName, object]>([
  ["partition", { iptables: [], ipsets: [] }],
  ["bandwidth", { tcs: [] }],
])("emptying PodNetworkChaos ends %s", (name, empty) => {
  const { world } = injected(name);
  world.store.mutate(chaosRef("podnetworkchaos"), "shop", "cart", (object) => ({
    ...object,
    spec: { ...object.spec, ...empty },
  }));
  world.loop.advance(5000);
  expect(isFaulty(world)).toBe(false);
});

test("replacing the faulty pod leaves the rules on the other side until the experiment is deleted", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  const redis = world.addPod("redis");
  const target = { selector: { labelSelectors: { app: "redis" } }, mode: "all" };
  world.create("networkchaos", "x", { ...all, action: "partition", direction: "both", target });
  world.loop.advance(5000);
  world.removePod("cart");
  world.addPod("cart");
  world.loop.advance(60_000);
  expect([isFaulty(world), redis?.drops.length]).toEqual([false, 2]);
  world.store.delete(chaosRef("networkchaos"), "shop", "x");
  world.loop.advance(5000);
  expect(redis?.drops).toEqual([]);
});

test("setting the old image back on the pod ends pod-failure and is not undone", () => {
  const { world } = injected("pod-failure");
  const pod = world.store.get(podsRef, "shop", "cart");
  expect(pod?.metadata.annotations).toEqual({
    "chaos-mesh-x-pod-failure-cart-normal-image": "example/cart:1",
  });
  world.store.mutate(podsRef, "shop", "cart", (object) => ({
    ...object,
    spec: { ...object.spec, containers: [{ name: "cart", image: "example/cart:1" }] },
  }));
  world.loop.advance(600_000);
  expect(isFaulty(world)).toBe(false);
});

test("pod-kill deletes the pod once and container-kill ends the main process with 137", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  world.create("podchaos", "k", { ...all, action: "container-kill", containerNames: ["cart"] });
  world.loop.advance(2000);
  expect(world.killed).toEqual(["cart/cart 137"]);
  world.create("podchaos", "p", { ...all, action: "pod-kill" });
  world.loop.advance(2000);
  expect(world.store.get(podsRef, "shop", "cart")).toBeUndefined();
  expect(world.holds("podchaos", "p")).toEqual(["Selected", "AllInjected"]);
});

test("a volume path that is no mount point fails as toda does and can be freed by deleting the pod", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  world.create("iochaos", "x", { ...all, action: "latency", volumePath: "/var/log", delay: "1s" });
  world.loop.advance(8000);
  const [record] = world.get("iochaos", "x").status.experiment.containerRecords;
  expect(record.phase).toBe("Not Injected/Wait");
  expect(record.events.at(-1).message).toBe(
    "failed to apply for pod shop/cart: rpc error: code = Unknown desc = toda startup takes too long or an error occurs: source: /var/log, target: /var/__chaosfs__log__",
  );
});

test("a delay that toda cannot read is reported as injected and does nothing", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  world.create("iochaos", "x", { ...all, action: "latency", volumePath: "/data", delay: "1.5s" });
  world.loop.advance(8000);
  expect(world.holds("iochaos", "x")).toEqual(["Selected", "AllInjected"]);
  expect(isFaulty(world)).toBe(false);
});

test("direction decides on which side a fault between two pods sits", () => {
  const build = (direction: string) => {
    const world = createChaosWorld();
    const cart = world.addPod("cart");
    const redis = world.addPod("redis");
    world.create("networkchaos", "x", {
      ...all,
      action: "delay",
      delay: { latency: "100ms" },
      direction,
      target: { selector: { labelSelectors: { app: "redis" } }, mode: "all" },
    });
    world.loop.advance(5000);
    expect(world.holds("networkchaos", "x")).toEqual(["Selected", "AllInjected"]);
    return [cart?.netem[0]?.toPodIps, redis?.netem[0]?.toPodIps];
  };
  expect(build("to")).toEqual([["10.42.0.2"], undefined]);
  expect(build("from")).toEqual([undefined, ["10.42.0.1"]]);
  expect(build("both")).toEqual([["10.42.0.2"], ["10.42.0.1"]]);
});

test("a partition drops both ways where it must", () => {
  const world = createChaosWorld();
  const cart = world.addPod("cart");
  const redis = world.addPod("redis");
  world.create("networkchaos", "x", {
    ...all,
    action: "partition",
    direction: "to",
    target: { selector: { labelSelectors: { app: "redis" } }, mode: "all" },
  });
  world.loop.advance(5000);
  expect(cart?.drops).toEqual([{ owner: "chaos-daemon", direction: "out", peerPodIps: ["10.42.0.2"] }]);
  expect(redis?.drops).toEqual([{ owner: "chaos-daemon", direction: "in", peerPodIps: ["10.42.0.1"] }]);
});

test.each([
  ["gives resolv.conf back", false],
  ["leaves resolv.conf as it is when a restart took the backup", true],
] as const)("the end of a DNS fault %s", (_, restart) => {
  const fault = injected("dns");
  const sandbox = fault.world.machine.byPod("shop", "cart");
  const saved = (): boolean | undefined =>
    sandbox?.containers.get("cart")?.files.has("/etc/resolv.conf.chaos.bak");
  expect([sandbox?.asksChaosDns, saved()]).toEqual([true, true]);
  if (restart) remedies["a container restart"](fault);
  remove(fault);
  expect(isFaulty(fault.world)).toBe(false);
  expect([Boolean(sandbox?.asksChaosDns), saved()]).toEqual([restart, false]);
});
