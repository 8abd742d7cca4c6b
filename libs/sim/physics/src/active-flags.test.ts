import { environments } from "@microremed/environments";
import { type ContainerRuntime, type KafkaState, lagsOf } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createTestbed, type Testbed } from "./testing/testbed.ts";

const shop = environments.get("astronomy-shop");
const declared = Object.values(shop.configMaps["flagd-config"] ?? {})[0] ?? "";

/** The shop after a minute in which one flag had a variant. */
function aShop(flag: string, variant: string): Testbed {
  const testbed = createTestbed(shop);
  setFlag(testbed, flag, variant);
  testbed.run(60);
  return testbed;
}

function setFlag({ pod }: Testbed, flag: string, variant: string): void {
  const file = JSON.parse(declared);
  file.flags[flag].defaultVariant = variant;
  const files = pod("flagd").volumes.get("config-rw");
  files?.set("/demo.flagd.json", new Uint8Array(Buffer.from(JSON.stringify(file))));
}

const edge = ({ physics }: Testbed, from: string, to: string) =>
  physics.edges("arena").find((one) => one.from === from && one.to === to);
const service = ({ physics }: Testbed, workload: string) =>
  physics.services("arena").find((one) => one.workload === workload);

test("a flag fails the share of requests that its variant says, and its program's callers with them", () => {
  using testbed = aShop("paymentFailure", "50%");
  expect(service(testbed, "payment")?.successRatio).toBeCloseTo(0.5, 2);
  expect(edge(testbed, "checkout", "payment")).toMatchObject({
    successRatio: expect.closeTo(0.5, 2),
    refusal: { message: expect.stringContaining("payment failed") },
  });
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(0.5, 2);
  setFlag(testbed, "paymentFailure", "off");
  testbed.run(10);
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(1, 2);
});

test.each([
  ["true", 0.4],
  ["false", 1],
  [undefined, 1],
])("a program that was started with a switch at %s serves its share of requests", (value, share) => {
  using testbed = createTestbed(environments.get("hotel-reservation"));
  const { containers } = testbed.pod("frontend");
  const [name, server] = [...containers][0] ?? [];
  if (name && server)
    containers.set(name, { ...server, env: value === undefined ? {} : { NEXT_QUERY_PATH: value } });
  testbed.run(10);
  expect(service(testbed, "frontend")?.successRatio).toBeCloseTo(share, 2);
});

test("a version with a defect fails its share of requests, and says why", () => {
  using testbed = createTestbed(environments.get("online-boutique"));
  testbed.run(10);
  expect(edge(testbed, "frontend", "currencyservice")?.successRatio).toBeCloseTo(1, 2);
  const { containers } = testbed.pod("currencyservice");
  const [name, server] = [...containers][0] ?? [];
  const [image = ""] = Object.keys(server?.behaviour?.versions ?? {});
  if (name && server) containers.set(name, { ...server, image });
  testbed.run(10);
  expect(edge(testbed, "frontend", "currencyservice")).toMatchObject({
    successRatio: expect.closeTo(0.6, 2),
    refusal: { message: expect.stringContaining("nanos") },
  });
});

test("without flagd every flag has the value that the program has for it", () => {
  using testbed = aShop("paymentFailure", "100%");
  expect(service(testbed, "payment")?.successRatio).toBe(0);
  testbed.machine.sandboxes.delete(testbed.pod("flagd").uid);
  testbed.run(10);
  expect(service(testbed, "payment")?.successRatio).toBe(1);
});

test("a flag hits one operation of a program", () => {
  using testbed = aShop("cartFailure", "on");
  const edges = testbed.physics
    .edges("arena")
    .filter(({ from, to }) => from === "checkout" && to === "cart")
    .map(({ successRatio }) => successRatio);
  expect(edges).toEqual([expect.closeTo(1, 2), expect.closeTo(0, 2)]);
  expect(service(testbed, "cart")?.successRatio).toBeCloseTo(0.9, 1);
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(1, 2);
});

test("a flag leads calls astray: the program that is called gets none", () => {
  using testbed = aShop("paymentUnreachable", "on");
  expect(edge(testbed, "checkout", "payment")).toMatchObject({ successRatio: 0 });
  expect(service(testbed, "payment")?.requestsPerSecond).toBe(0);
  expect(edge(testbed, "frontend", "checkout")?.successRatio).toBeCloseTo(0, 2);
});

test("a flag makes calls wait, and those who asked for them", () => {
  using testbed = aShop("imageSlowLoad", "5sec");
  const path = "/images/products/LensCleaningKit.jpg";
  const from = testbed.pod("load-generator");
  const ask = (what: string) => testbed.network.httpGet(from, "frontend-proxy", 8080, what, 10_000);
  expect(ask(path).elapsedMs).toBeGreaterThan(5000);
  expect(ask("/").elapsedMs).toBeLessThan(1000);
});

test("a flag adds work and waits to requests, and busy threads beside them", () => {
  using healthy = aShop("adManualGc", "off");
  using slow = aShop("adManualGc", "on");
  using busy = aShop("adHighCpu", "on");
  const latencyOf = (testbed: Testbed): number => service(testbed, "ad")?.latencyMs ?? 0;
  expect(latencyOf(slow) - latencyOf(healthy)).toBeGreaterThan(400);
  expect(slow.container("ad").usage.cpu).toBeGreaterThan(5 * healthy.container("ad").usage.cpu);
  expect(busy.container("ad").usage.cpu).toBeGreaterThan(4);
  setFlag(busy, "adHighCpu", "off");
  busy.run(10);
  expect(busy.container("ad").usage.cpu).toBeLessThan(0.1);
});

test("a flag makes memory grow until the container is killed, and what has grown stays when it is off", () => {
  using testbed = createTestbed(shop);
  setFlag(testbed, "recommendationCacheFailure", "on");
  testbed.run(12);
  const { usage } = testbed.container("recommendation");
  setFlag(testbed, "recommendationCacheFailure", "off");
  const before = usage.memory;
  testbed.run(60);
  expect(usage.memory).toBeGreaterThanOrEqual(before);
  setFlag(testbed, "recommendationCacheFailure", "on");
  testbed.run(60);
  expect(testbed.container("recommendation").oomKilled).toBe(true);
});

test("a flag makes the load generator send more, of one page", () => {
  using testbed = aShop("loadGeneratorFloodHomepage", "on");
  expect(edge(testbed, "load-generator", "frontend-proxy")?.requestsPerSecond).toBeGreaterThan(250);
  expect(edge(testbed, "frontend-proxy", "image-provider")?.requestsPerSecond).toBeLessThan(10);
  expect(service(testbed, "frontend")?.latencyMs).toBeGreaterThan(500);
  setFlag(testbed, "loadGeneratorFloodHomepage", "off");
  testbed.run(60);
  expect(edge(testbed, "frontend-proxy", "image-provider")?.requestsPerSecond).toBeCloseTo(6, 1);
});

test("a flag floods a topic and makes one of its consumers slow; without it the consumer catches up", () => {
  using testbed = aShop("kafkaQueueProblems", "on");
  const lags = () =>
    Object.fromEntries(
      lagsOf(testbed.container("kafka").datastore as KafkaState).map(({ group, lag }) => [group, lag]),
    );
  expect(lags()["fraud-detection"]).toBeGreaterThan(5000);
  expect(lags()["accounting"]).toBeLessThan(10);
  setFlag(testbed, "kafkaQueueProblems", "off");
  testbed.run(60);
  expect(lags()["fraud-detection"]).toBeLessThan(10);
});

test("a version that keeps its connections has none left after a while; a restart gives them back", () => {
  using testbed = createTestbed(environments.get("online-boutique"));
  const { containers } = testbed.pod("cartservice");
  const [name, server] = [...containers][0] ?? [];
  const [image = ""] = Object.keys(server?.behaviour?.versions ?? {});
  if (name && server) containers.set(name, { ...server, image });
  const calls = () => edge(testbed, "cartservice", "redis-cart");
  testbed.run(2);
  expect(calls()?.successRatio).toBeCloseTo(1, 2);
  testbed.run(30);
  expect(calls()).toMatchObject({
    successRatio: 0,
    refusal: { message: expect.stringContaining("all 4 of the pool are in use") },
  });
  expect(edge(testbed, "frontend", "cartservice")?.successRatio).toBeLessThan(0.1);
  testbed.restart("cartservice", { startupLeft: 0 });
  testbed.run(2);
  expect(calls()?.successRatio).toBeCloseTo(1, 2);
});

test("a program that keeps something of each request grows by it, is killed at its limit, and grows again", () => {
  using testbed = createTestbed(environments.get("hotel-reservation"));
  const grownMi = (container: ContainerRuntime): number => {
    testbed.run(10);
    const before = container.usage.memory;
    testbed.run(60);
    return (container.usage.memory - before) / 2 ** 20;
  };
  const { env } = testbed.container("frontend");
  const keeping = (kib: string) =>
    testbed.restart("frontend", { env: { ...env, KEEP_REQUESTS_KIB: kib }, memoryLimit: 200 * 2 ** 20 });
  for (const nothing of ["0", "", "much", "-4"]) expect(grownMi(keeping(nothing))).toBeLessThan(1);
  const leaking = keeping("10");
  expect(grownMi(leaking)).toBeCloseTo((100 * 60 * 10) / 1024, 0);
  testbed.run(150);
  expect(leaking.oomKilled).toBe(true);
  expect(grownMi(keeping("10"))).toBeGreaterThan(50);
});
