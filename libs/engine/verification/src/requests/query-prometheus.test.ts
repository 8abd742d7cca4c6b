import { edgesBetween } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import { aPod } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { queryPrometheus } from "./query-prometheus.ts";

const base = aPod();
const pod = { ...base, metadata: { ...base.metadata, namespace: "shop", labels: { app: "cart" } } };
const cluster = { clock: { now: async () => 100_000 } } as unknown as Cluster;
const metric = {
  __name__: "rpc_server_call_duration_seconds_count",
  namespace: "shop",
  pod: pod.metadata.name,
  rpc_system_name: "grpc",
};

/** What is read at 100 s from a Prometheus that has these samples. */
const read = (...values: [number, string][]) =>
  queryPrometheus(async () => [{ metric, values }])(cluster, [pod], () => "cart");

test("takes the last sample of every series, with the time at which it was scraped", async () => {
  const { at, programs } = await read([70, "5"], [85, "9"]);
  expect(at).toBe(100_000);
  expect([...programs]).toEqual([
    [pod.metadata.uid, { at: 85_000, edges: new Map([["cart", { ok: 9, failed: 0, within: new Map() }]]) }],
  ]);
});

test("asks for raw samples of the arena's namespace", async () => {
  const asked: string[] = [];
  const query = async (promql: string) => {
    asked.push(promql);
    return [];
  };
  await queryPrometheus(query)(cluster, [pod], () => "cart");
  expect(asked.join()).toMatch(/^\{.*namespace="shop"\}\[2m\]$/);
});

test("counts cover the time between scrapes, not between questions", async () => {
  const window = edgesBetween(await read([60, "5"]), await read([90, "11"]));
  expect(window.get("cart")).toMatchObject({ seconds: 30, counts: { ok: 6 } });
});

test("a pod without series, or with empty ones, reports nothing", async () => {
  expect((await read()).programs.size).toBe(0);
  expect((await queryPrometheus(async () => [])(cluster, [pod], () => "cart")).programs.size).toBe(0);
});
