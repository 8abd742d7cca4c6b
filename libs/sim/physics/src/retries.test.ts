import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, namespace, type Testbed } from "./testing/testbed.ts";

const hotel = environments.get("hotel-reservation");
const retrying = { CALL_ATTEMPTS: "4", CALL_TIMEOUT_MS: "750", CALL_BACKOFF_MS: "50" };
/** 2.2 times what usually comes to rate: 60 requests a second. */
const limited = { MAX_QPS: "132" };
const [burstFrom, burstTo] = [60_000, 75_000];

/** search tries as these variables say, and for 15 seconds there are five times as many users. */
function afterBurst(env: Record<string, string>): Testbed {
  const profile = (_load: unknown, _namespace: string, now: number) =>
    now > burstFrom && now <= burstTo ? 5 : 1;
  const testbed = createTestbed(hotel, { profile });
  testbed.run(30);
  testbed.restart("rate", { env: limited });
  testbed.restart("search", { env });
  testbed.run(28);
  expect(edge(testbed)).toMatchObject({
    successRatio: expect.closeTo(1, 2),
    requestsPerSecond: expect.closeTo(60, 0),
  });
  testbed.run(180);
  return testbed;
}

const edge = ({ physics }: Testbed) =>
  physics.edges(namespace).find(({ from, to }) => from === "search" && to === "rate");

test("retries keep a program overloaded after the burst that made it late, until they are fewer or its queue is gone", () => {
  using testbed = afterBurst(retrying);
  expect(edge(testbed)).toMatchObject({ successRatio: 0, requestsPerSecond: expect.closeTo(240, -1) });
  testbed.restart("search", { env: { ...retrying, CALL_ATTEMPTS: "2" } });
  testbed.run(60);
  expect(edge(testbed)?.successRatio).toBeCloseTo(1, 2);
});

test("a new queue ends the collapse, another program that starts again does not", () => {
  using testbed = afterBurst(retrying);
  testbed.restart("user");
  testbed.run(120);
  expect(edge(testbed)?.successRatio).toBe(0);
  testbed.restart("rate", { env: limited });
  testbed.run(60);
  expect(edge(testbed)?.successRatio).toBeCloseTo(1, 2);
});

test.each([
  ["no retries", {}],
  ["few retries", { ...retrying, CALL_ATTEMPTS: "2" }],
])("with %s the queue of a burst drains", (_, env) => {
  using testbed = afterBurst(env);
  expect(edge(testbed)).toMatchObject({
    successRatio: expect.closeTo(1, 2),
    requestsPerSecond: expect.closeTo(60, 0),
  });
});

test("health checks pass a limiter's queue, requests wait in it", () => {
  using testbed = afterBurst(retrying);
  const probe = testbed.network.execProbe(
    testbed.container("rate"),
    testbed.pod("rate"),
    ["/bin/grpc_health_probe", "-addr=:8084"],
    1000,
  );
  expect(probe.elapsedMs).toBeLessThan(100);
  const rate = testbed.physics.services(namespace).find(({ workload }) => workload === "rate");
  expect(rate?.latencyMs).toBeGreaterThan(700);
});
