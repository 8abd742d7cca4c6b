import { CallSpec, type Environment, environments } from "@microremed/environments";
import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { callOrder } from "./call-order.ts";
import { createTestbed, namespace, type Testbed } from "./testing/testbed.ts";

const micro = environments.get("simple-micro");
const withLoad = (requestsPerSecond: number): Environment => ({
  ...micro,
  load: { ...micro.load, requestsPerSecond },
});

const entry = ({ physics }: Testbed) => physics.edges(namespace).find(({ from }) => from === "outside");

test("queueing: latency grows with the load, and overload ends in errors and a full queue", () => {
  const latencies = [20, 100, 140].map((rate) => {
    using testbed = createTestbed(withLoad(rate));
    testbed.run(60);
    return entry(testbed)?.latencyMs ?? 0;
  });
  expect(latencies[1]).toBeGreaterThan(1.1 * (latencies[0] ?? 0));
  expect(latencies[2]).toBeGreaterThan(2 * (latencies[1] ?? 0));

  using overloaded = createTestbed(withLoad(400));
  overloaded.run(60);
  expect(entry(overloaded)?.successRatio).toBeLessThan(0.5);
  expect(overloaded.physics.services(namespace)[0]?.requestsPerSecond).toBeLessThan(200);
});

test("a single worker that waits for a slow callee keeps its own health page waiting", () => {
  using testbed = createTestbed(withLoad(5));
  testbed.run(20);
  testbed
    .pod("time-service")
    .netem.push(...[{ owner: "t", delayMs: 1000, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 }]);
  testbed.run(30);
  const { ip } = testbed.pod("hello-service");
  expect(testbed.network.httpGet("node", ip, 5000, "/healthz", 1000).ok).toBe(false);
});

test("a full node slows the start of every program", () => {
  const startSeconds = (nodeCores: number): number => {
    using testbed = createTestbed(environments.get("train-ticket"), { nodeCores });
    const java = testbed.container("ts-order-service");
    for (let second = 1; second < 600; second++) {
      testbed.run(1);
      if (java.startupLeft === 0) return second;
    }
    return Number.POSITIVE_INFINITY;
  };
  expect(startSeconds(64)).toBeLessThan(35);
  expect(startSeconds(8)).toBeGreaterThan(70);
});

test("on a full node a program without a request gets the least, and others what their requests are worth", () => {
  using testbed = createTestbed(environments.get("hotel-reservation"), { nodeCores: 16 });
  testbed.restart("profile", { cpuRequest: 0, cpuLimit: undefined });
  const neighbour = testbed.restart("jaeger", { cpuRequest: 11.5, cpuLimit: undefined });
  const latencyOf = (name: string) =>
    testbed.physics.services(namespace).find(({ workload }) => workload === name)?.latencyMs ?? 0;
  testbed.run(60);
  const before = ["profile", "geo"].map(latencyOf);
  testbed.stressCpu(neighbour, 32);
  testbed.run(60);
  expect(latencyOf("profile")).toBeGreaterThan(100 * (before[0] ?? 0));
  expect(latencyOf("geo")).toBeLessThan(2 * (before[1] ?? 0));
});

test("nacos callers dial pod IPs: a pod that is not ready still gets requests, one without a program does not", () => {
  using testbed = createTestbed(environments.get("train-ticket"));
  testbed.notReady.add("ts-station-service");
  testbed.run(60);
  const calls = () =>
    testbed.physics
      .edges(namespace)
      .find(({ from, to }) => from === "ts-basic-service" && to === "ts-station-service");
  expect(calls()?.successRatio).toBeGreaterThan(0.99);
  testbed.restart("ts-station-service", { behaviour: undefined });
  testbed.run(2);
  expect(calls()?.successRatio).toBe(0);
});

test("xenon labels one leader of three, and another when it is gone", () => {
  using testbed = createTestbed(environments.get("train-ticket"));
  testbed.run(30);
  const leaders = () =>
    testbed.labels.filter((label) => label.startsWith("tsdb") && label.endsWith("leader"));
  expect(leaders()).toEqual(["tsdb-mysql-0=leader"]);
  expect(testbed.labels).toContain("tsdb-mysql-2=follower");
  testbed.machine.sandboxes.delete("tsdb-mysql-0");
  testbed.run(5);
  expect(leaders()).toEqual(["tsdb-mysql-0=leader", "tsdb-mysql-1=leader"]);
});

test("same world, same numbers; no noise without a random draw", () => {
  const numbers = () => {
    using testbed = createTestbed(environments.get("online-boutique"));
    testbed.run(40);
    testbed.stressCpu(testbed.container("frontend"), 10);
    testbed.run(40);
    const pings = Array.from({ length: 5 }, () =>
      testbed.network.ping("node", testbed.pod("frontend").ip, 1000),
    );
    return [testbed.physics.edges(namespace), testbed.physics.services(namespace), pings];
  };
  expect(numbers()).toEqual(numbers());
});

test("callers come before callees, and a cycle is cut at the same place every time", () => {
  const order = callOrder(environments.get("train-ticket"));
  expect(order.get("ts-gateway-service")).toBeLessThan(order.get("ts-order-service") ?? 0);
  expect(order.size).toBe(50);
  const back = CallSpec.parse({
    ...{ to: "hello-service", address: "hello-service:5000", protocol: "http" },
    ...{ perRequest: 0.1, timeoutSeconds: 1, required: false },
  });
  const { "time-service": time } = micro.workloads;
  if (!time) throw new Error("there is no time-service");
  const cyclic = { ...micro, workloads: { ...micro.workloads, "time-service": { ...time, calls: [back] } } };
  expect([...callOrder(cyclic)]).toEqual([...callOrder(cyclic)]);
  using testbed = createTestbed(cyclic);
  testbed.run(30);
  expect(entry(testbed)?.successRatio).toBeGreaterThan(0.9);
});

test("a tick that computes no request again has the numbers of one that does", () => {
  const harmless = { owner: "t", volumePath: "/nowhere", percent: 100, delayMs: 1 };
  const numbers = (system: string, computesAll: boolean) => {
    using testbed = createTestbed(environments.get(system));
    const { physics, machine } = testbed;
    const first = system === "train-ticket" ? "ts-order-service" : "frontend";
    const changes: Readonly<Record<number, () => unknown>> = {
      60: () => testbed.stressCpu(testbed.container(first), 10),
      80: () => testbed.container(first).processes.splice(1),
      100: () => testbed.pod(first).netem.push(netemOf(300)),
      120: () => testbed.pod(first).netem.splice(0, 1, netemOf(600)),
      140: () => testbed.pod(first).netem.splice(0),
      160: () => testbed.restart(first),
      200: () => testbed.notReady.add(first),
    };
    const seen: string[] = [];
    let { revision } = physics;
    let computed = 0;
    for (let second = 0; second < 220; second++) {
      changes[second]?.();
      // A fault without an effect, another one in each second, makes every tick compute all requests.
      const [other] = machine.sandboxes.values().flatMap(({ containers }) => containers.values());
      if (computesAll) other?.ioFaults.splice(0, 1, { ...harmless });
      testbed.run(1);
      const usage = [...machine.sandboxes.values()].map((pod) => [...pod.containers.values()].map(usageOf));
      seen.push(JSON.stringify([physics.edges(namespace), physics.services(namespace), usage]));
      computed += physics.revision - revision;
      revision = physics.revision;
    }
    return { seen, computed };
  };
  for (const system of ["online-boutique", "train-ticket"]) {
    const all = numbers(system, true);
    const few = numbers(system, false);
    expect(few.seen).toEqual(all.seen);
    expect(all.computed).toBe(220);
    expect(few.computed).toBeLessThan(160);
  }
});

const netemOf = (delayMs: number) => ({
  owner: "t",
  delayMs,
  jitterMs: 0,
  loss: 0,
  corrupt: 0,
  duplicate: 0,
});
const usageOf = ({ usage, startupLeft }: ContainerRuntime) => ({ ...usage, startupLeft });
