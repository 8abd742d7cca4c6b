import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, namespace } from "./testing/testbed.ts";

test("resolves services and pods of headless services by every form of their names", () => {
  using testbed = createTestbed(environments.get("train-ticket"));
  const from = testbed.pod("ts-order-service");
  const { resolve } = testbed.network;
  const [ip = ""] = resolve(from, "ts-station-service");
  expect(ip).toMatch(/^172\.20\.0\./);
  for (const suffix of [
    namespace,
    `${namespace}.svc`,
    `${namespace}.svc.cluster.local`,
    `${namespace}.svc.cluster.local.`,
  ])
    expect(resolve(from, `ts-station-service.${suffix}`)).toEqual([ip]);
  expect(resolve(from, "nacos-headless")).toHaveLength(3);
  expect(resolve(from, "nacos-1.nacos-headless")).toEqual([testbed.pod("nacos", 1).ip]);
  expect(resolve(from, `nacos-1.nacos-headless.${namespace}.svc.cluster.local`)).toEqual([
    testbed.pod("nacos", 1).ip,
  ]);
  expect(resolve(from, "localhost")).toEqual(["127.0.0.1"]);
  expect(resolve(from, "10.9.9.9")).toEqual(["10.9.9.9"]);
  expect(resolve(from, "nobody")).toEqual([]);
  expect(resolve("node", "ts-station-service")).toEqual([]);
});

test("a DNS fault hides the names that match", () => {
  using testbed = createTestbed(environments.get("simple-micro"));
  const from = testbed.pod("hello-service");
  from.dnsFault = { owner: "t", action: "error", patterns: ["time-*"] };
  expect(testbed.network.resolve(from, "time-service")).toEqual([]);
  expect(testbed.network.resolve(from, "hello-service")).toHaveLength(1);
  expect(testbed.network.httpGet(from, "time-service", 5001, "/time", 1000).error).toContain("no such host");
});

test("a name server that does not answer makes each new connection wait, of programs and of single requests", () => {
  using testbed = createTestbed(environments.get("simple-micro"));
  const from = testbed.pod("hello-service");
  const calls = () =>
    testbed.physics.edges(namespace).find((one) => one.from === "hello-service")?.latencyMs ?? 0;
  testbed.run(5);
  expect(calls()).toBeLessThan(1000);
  const resolver = {
    nameservers: ["10.96.0.2", "10.96.0.10"],
    searches: [`${namespace}.svc.cluster.local`],
    options: ["ndots:5", "timeout:2"],
  };
  Object.assign(from, { resolver });
  testbed.restart("hello-service", { startupLeft: 0 });
  testbed.run(5);
  expect(calls()).toBeGreaterThanOrEqual(2000);
  const get = (timeoutMs: number) => testbed.network.httpGet(from, "time-service", 5001, "/time", timeoutMs);
  expect(get(10_000)).toMatchObject({ ok: true, elapsedMs: expect.toSatisfy((ms: number) => ms > 2000) });
  expect(get(1000)).toMatchObject({ ok: false, elapsedMs: 1000 });
});
