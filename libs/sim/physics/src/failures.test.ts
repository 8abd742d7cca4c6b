import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, namespace, type Testbed } from "./testing/testbed.ts";

const boutique = environments.get("online-boutique");
const micro = environments.get("simple-micro");
const healthProbe = (port: number) => ["/bin/grpc_health_probe", `-addr=:${port}`];

function warm(environment = boutique, seconds = 60): Testbed {
  const testbed = createTestbed(environment);
  testbed.run(seconds);
  return testbed;
}

function edge({ physics }: Testbed, from: string, to: string) {
  const found = physics.edges(namespace).find((item) => item.from === from && item.to === to);
  if (!found) throw new Error(`no edge ${from} -> ${to}`);
  return found;
}

test("a healthy shop serves everything fast and far below its limits", () => {
  using testbed = warm();
  for (const item of testbed.physics.edges(namespace)) {
    expect(item.successRatio).toBeGreaterThan(0.999);
    expect(item.latencyMs).toBeLessThan(60);
  }
  for (const { containers } of testbed.machine.sandboxes.values())
    for (const { usage, cpuLimit = 1, memoryLimit = 1 } of containers.values()) {
      expect(usage.cpu).toBeLessThan(0.25 * cpuLimit);
      expect(usage.memory).toBeLessThan(0.25 * memoryLimit);
    }
});

test("cpu-stress: usage sits at the limit, requests get slow, health probes still answer in time", () => {
  using testbed = warm();
  const before = edge(testbed, "loadgenerator", "frontend");
  const container = testbed.container("frontend");
  testbed.stressCpu(container, 10);
  testbed.run(20);
  expect(container.usage.cpu).toBeCloseTo(0.2);
  expect(container.usage.throttled).toBeGreaterThan(0.95);
  expect(edge(testbed, "loadgenerator", "frontend").latencyMs).toBeGreaterThan(5 * before.latencyMs);
  const pod = testbed.pod("frontend");
  const page = testbed.network.httpGet("node", pod.ip, 8080, "/_healthz", 1000);
  expect(page).toMatchObject({ ok: true, status: 200 });
  for (const workload of ["currencyservice", "cartservice", "adservice"]) {
    const stressed = testbed.container(workload);
    testbed.stressCpu(stressed, 10);
    testbed.run(5);
    const port = stressed.behaviour?.listens[0] ?? 0;
    const probe = testbed.network.execProbe(stressed, testbed.pod(workload), healthProbe(port), 1000);
    expect(probe.ok).toBe(true);
    expect(probe.elapsedMs).toBeGreaterThan(200);
  }
});

test("cpu-stress: a fresh container is quiet at once", () => {
  using testbed = warm();
  testbed.stressCpu(testbed.container("frontend"), 10);
  testbed.run(10);
  const fresh = testbed.restart("frontend");
  testbed.run(30);
  expect(fresh.usage.cpu).toBeLessThan(0.05);
});

test("memory-stress: a high plateau below the limit, an OOM kill of the whole container above it", () => {
  using testbed = warm();
  const container = testbed.container("frontend");
  testbed.stressMemory(container, 1280);
  testbed.run(2);
  expect(container.usage.memory / 2 ** 20).toBeGreaterThan(1300);
  expect(container.oomKilled).toBe(false);
  testbed.stressMemory(container, 1280);
  testbed.run(2);
  expect(container.oomKilled).toBe(true);
  expect(container.usage.memory).toBe(container.memoryLimit);
});

test("network-delay: +1000 ms on every round trip, probes of 1 s fail, callers wait longer", () => {
  using testbed = warm(micro, 20);
  const { network } = testbed;
  const [hello, time] = [testbed.pod("hello-service"), testbed.pod("time-service")];
  time.netem.push({ owner: "t", delayMs: 1000, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 });
  testbed.run(5);
  expect(network.ping(time, hello.ip, 5000).elapsedMs).toBeGreaterThan(1000);
  expect(network.ping(hello, time.ip, 5000).elapsedMs).toBeGreaterThan(1000);
  expect(network.ping(hello, "127.0.0.1", 5000).elapsedMs).toBeLessThan(5);
  expect(network.httpGet("node", time.ip, 5001, "/time", 1000)).toMatchObject({ ok: false, elapsedMs: 1000 });
  expect(network.tcpConnect("node", time.ip, 5001, 5000).elapsedMs).toBeGreaterThan(1000);
  // A handshake and an answer, each a second late: the caller's deadline is 2 s.
  expect(edge(testbed, "hello-service", "time-service").successRatio).toBe(0);
  expect(network.httpGet(hello, "127.0.0.1", 5000, "/hello", 20_000)).toMatchObject({ status: 500 });
});

test("network-loss: about half of the pings, and requests slowed by retransmissions", () => {
  using testbed = warm();
  const pod = testbed.pod("currencyservice");
  const before = edge(testbed, "frontend", "currencyservice").latencyMs;
  pod.netem.push({ owner: "t", delayMs: 0, jitterMs: 0, loss: 0.5, corrupt: 0, duplicate: 0 });
  testbed.run(5);
  const pings = Array.from({ length: 1000 }, () =>
    testbed.network.ping(pod, testbed.pod("frontend").ip, 1000),
  );
  const lost = pings.filter(({ ok }) => !ok).length;
  expect(lost).toBeGreaterThan(440);
  expect(lost).toBeLessThan(560);
  expect(edge(testbed, "frontend", "currencyservice").latencyMs).toBeGreaterThan(before + 300);
});

test("disk-io: a slow log directory affects the requests of a program that writes there, and no other", () => {
  using testbed = warm(environments.get("train-ticket"), 90);
  const fault = { owner: "t", volumePath: "/var/log/mysql", percent: 50, delayMs: 5000 };
  const before = edge(testbed, "ts-order-service", "tsdb-mysql").latencyMs;
  for (const ordinal of [0, 1, 2])
    testbed.pod("tsdb-mysql", ordinal).containers.get("mysql")?.ioFaults.push(fault);
  testbed.container("ts-news-service").ioFaults.push(fault);
  testbed.run(5);
  expect(edge(testbed, "ts-order-service", "tsdb-mysql").latencyMs).toBeGreaterThan(before + 40);
});

test("pod-fail: nothing listens in a pause image; required callers fail, optional ones go on", () => {
  using testbed = warm();
  for (const workload of ["currencyservice", "adservice"])
    testbed.restart(workload, { behaviour: undefined, startupLeft: 0, image: "registry.k8s.io/pause:3.9" });
  testbed.run(5);
  const pod = testbed.pod("currencyservice");
  expect(testbed.network.tcpConnect("node", pod.ip, 7000, 1000).error).toBe("connection refused");
  const probe = testbed.network.execProbe(testbed.container("currencyservice"), pod, healthProbe(7000), 1000);
  expect(probe.error).toContain("no such file or directory");
  expect(edge(testbed, "frontend", "currencyservice").successRatio).toBe(0);
  expect(edge(testbed, "loadgenerator", "frontend").successRatio).toBe(0);

  testbed.restart("currencyservice", {
    behaviour: boutique.workloads["currencyservice"]?.containers[0]?.behaviour,
  });
  testbed.container("currencyservice").startupLeft = 0;
  testbed.run(5);
  expect(edge(testbed, "frontend", "adservice").successRatio).toBe(0);
  expect(edge(testbed, "loadgenerator", "frontend").successRatio).toBeGreaterThan(0.999);
});

test("a program that listens on one of its pod's addresses is refused on the others", () => {
  using testbed = warm();
  const connects = (host: "localhost" | "pod"): boolean => {
    const pod = testbed.pod("currencyservice");
    const from = host === "pod" ? "node" : pod;
    return testbed.network.tcpConnect(from, host === "pod" ? pod.ip : "127.0.0.1", 7000, 1000).ok;
  };
  for (const [boundTo, localhost, pod] of [
    ["pod", false, true],
    ["localhost", true, false],
    [undefined, true, true],
  ] as const) {
    testbed.restart("currencyservice", { boundTo, startupLeft: 0 });
    testbed.run(5);
    expect([connects("localhost"), connects("pod")], boundTo).toEqual([localhost, pod]);
  }
  testbed.restart("currencyservice", { boundTo: "localhost", startupLeft: 0 });
  testbed.run(5);
  expect(edge(testbed, "frontend", "currencyservice").successRatio).toBe(0);
});

test("a failed required call spares what comes after it", () => {
  using testbed = warm();
  const before = edge(testbed, "frontend", "cartservice").requestsPerSecond;
  testbed.notReady.add("productcatalogservice");
  testbed.run(5);
  expect(before).toBeGreaterThan(1);
  expect(edge(testbed, "frontend", "cartservice").requestsPerSecond).toBe(0);
  expect(testbed.network.tcpConnect(testbed.pod("frontend"), "productcatalogservice", 3550, 1000).error).toBe(
    "connection refused",
  );
});

test("pod-config-error: 2m is enforced as 10m; starting takes long, serving is a queue, Java does not come up", () => {
  using testbed = warm();
  const starved = { cpuLimit: 0.002, cpuRequest: 0.001, memoryLimit: 200 * 2 ** 20 };
  const python = testbed.restart("recommendationservice", starved);
  testbed.run(60);
  expect(python.startupLeft).toBeGreaterThan(0);
  expect(python.usage.cpu).toBeCloseTo(0.01);
  testbed.run(90);
  expect(python.startupLeft).toBe(0);

  const frontend = testbed.restart("frontend", starved);
  testbed.run(90);
  expect(frontend.usage.cpu).toBeCloseTo(0.01);
  expect(edge(testbed, "loadgenerator", "frontend").successRatio).toBeLessThan(0.5);
  const probe = testbed.network.execProbe(frontend, testbed.pod("frontend"), healthProbe(8080), 1000);
  expect(probe).toMatchObject({ ok: false, elapsedMs: 1000 });

  using tickets = createTestbed(environments.get("train-ticket"));
  const java = tickets.restart("ts-order-service", { cpuLimit: 0.002, cpuRequest: 0.001 });
  tickets.run(600);
  expect(java.startupLeft).toBeGreaterThan(8);
});

test("a program that has not started refuses connections", () => {
  using testbed = warm(micro, 20);
  testbed.restart("hello-service", { startupLeft: 100 });
  testbed.run(1);
  const { ip } = testbed.pod("hello-service");
  expect(testbed.network.httpGet("node", ip, 5000, "/healthz", 1000).error).toBe("connection refused");
});

test("paths that a program does not serve are answered with 404", () => {
  using testbed = warm(micro, 20);
  const { ip } = testbed.pod("time-service");
  expect(testbed.network.httpGet("node", ip, 5001, "/time", 1000).status).toBe(200);
  expect(testbed.network.httpGet("node", ip, 5001, "/", 1000).status).toBe(404);
});

test("retries hide a lossy callee from the caller's users and multiply the load on it", () => {
  const retrying = structuredClone(boutique);
  const call = retrying.workloads["frontend"]?.calls.find(({ to }) => to === "currencyservice");
  if (call) Object.assign(call, { retries: 2, timeoutSeconds: 0.2 });
  const outcome = (environment: typeof boutique) => {
    using testbed = warm(environment);
    testbed.pod("currencyservice").netem.push({
      owner: "test",
      delayMs: 0,
      jitterMs: 0,
      loss: 0.3,
      corrupt: 0,
      duplicate: 0,
    });
    testbed.run(30);
    return edge(testbed, "frontend", "currencyservice");
  };
  const withoutRetries = structuredClone(boutique);
  const once = withoutRetries.workloads["frontend"]?.calls.find(({ to }) => to === "currencyservice");
  if (once) Object.assign(once, { timeoutSeconds: 0.2 });
  const [without, withRetries] = [outcome(withoutRetries), outcome(retrying)];
  expect(without.successRatio).toBeLessThan(0.9);
  expect(withRetries.successRatio).toBeGreaterThan(without.successRatio + 0.05);
  expect(withRetries.requestsPerSecond / without.requestsPerSecond).toBeGreaterThan(1.1);
});

test("a program whose variable has no address, another or none reaches what the variable names and nothing else", () => {
  using testbed = warm();
  const { env } = testbed.container("frontend");
  const success = (change: Record<string, string>, ...removed: string[]): number => {
    const kept = Object.entries({ ...env, ...change }).filter(([name]) => !removed.includes(name));
    testbed.restart("frontend", { env: Object.fromEntries(kept) });
    testbed.run(30);
    return edge(testbed, "frontend", "currencyservice").successRatio;
  };
  const variable = "CURRENCY_SERVICE_ADDR";
  expect(success({})).toBeGreaterThan(0.99);
  expect(success({}, variable)).toBe(0);
  expect(success({ [variable]: "" })).toBe(0);
  expect(success({ [variable]: "nowhere:7000" })).toBe(0);
});
