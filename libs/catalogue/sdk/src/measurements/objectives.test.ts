import { expect, test } from "vitest";
import { countsBetween, type EdgeCounts, edgeCountsOf, isRequestMetric } from "./edge-counts.ts";
import { parseExposition } from "./exposition.ts";
import { baselineEdges, judgeEdges, lateOf, objectiveMs } from "./objectives.ts";

const within = (counts: Record<number, number>) =>
  new Map(Object.entries(counts).map(([bound, count]) => [Number(bound), count]));
const edge = { edge: "frontend -> cart:7070", perSecond: 2, success: 1, p95Ms: 25 };
const healthy: EdgeCounts = { ok: 40, failed: 0, within: within({ 25: 40, 100: 40 }) };
const judge = (counts: EdgeCounts) =>
  judgeEdges([edge], new Map([[edge.edge, { counts, seconds: 20 }]]), 20, 0).problems.join("; ");

test("reads OpenTelemetry's histograms, by edge and outcome", () => {
  const text = [
    "# TYPE rpc_server_call_duration_seconds histogram",
    'rpc_server_call_duration_seconds_bucket{rpc_system_name="grpc",le="0.005"} 7',
    'rpc_server_call_duration_seconds_bucket{rpc_system_name="grpc",le="+Inf"} 9',
    'rpc_server_call_duration_seconds_count{rpc_system_name="grpc"} 9',
    'rpc_server_call_duration_seconds_count{error_type="UNAVAILABLE"} 3',
    'db_client_operation_duration_seconds_count{server_address="redis-cart",server_port="6379"} 4',
    "process_cpu_seconds_total 1",
    "not a sample",
  ].join("\n");
  const edges = edgeCountsOf("cart", parseExposition(text, isRequestMetric));
  expect([...edges.keys()]).toEqual(["cart", "cart -> redis-cart:6379"]);
  expect(edges.get("cart")).toEqual({ ok: 9, failed: 3, within: within({ 5: 7 }) });
});

test("counts between readings; a program that restarted counts from zero", () => {
  expect(countsBetween({ ...healthy, ok: 30 }, healthy)).toMatchObject({ ok: 10, failed: 0 });
  const fresh = { ok: 3, failed: 1, within: within({ 25: 3 }) };
  expect(countsBetween(healthy, fresh)).toEqual(fresh);
  expect(countsBetween(undefined, fresh)).toEqual(fresh);
});

test("a baseline has rate, success and 95th percentile of every edge that was asked", () => {
  const silent: EdgeCounts = { ok: 0, failed: 0, within: new Map() };
  const edges = new Map([
    ["a", { seconds: 50, counts: { ok: 95, failed: 5, within: within({ 10: 50, 25: 90 }) } }],
    ["b", { seconds: 50, counts: { ok: 95, failed: 0, within: within({ 10: 50, 25: 95 }) } }],
    ["c", { seconds: 50, counts: silent }],
  ]);
  // No bucket of a's holds its 95th percentile: such an edge has no objective.
  expect(baselineEdges(edges)).toEqual([{ edge: "b", perSecond: 1.9, success: 1, p95Ms: 25 }]);
  expect(objectiveMs({ p95Ms: 25 })).toBe(100);
  expect(lateOf({ ok: 40, failed: 0, within: within({ 50: 10, 250: 30 }) }, 100)).toBe(10);
});

test("traffic as before meets the objectives, and so does one failure in forty", () => {
  expect(judge(healthy)).toBe("");
  expect(judge({ ...healthy, ok: 39, failed: 1 })).toBe("");
});

test("failing, late and missing requests do not", () => {
  expect(judge({ ...healthy, ok: 36, failed: 4 })).toMatch(/4 of 40 requests .* failed/);
  expect(judge({ ...healthy, within: within({ 25: 0, 100: 30 }) })).toMatch(/10 of 40 .* longer than 100 ms/);
  expect(judge({ ok: 5, failed: 0, within: within({ 100: 5 }) })).toMatch(/5 requests in 20 s, 40 are usual/);
  expect(judgeEdges([edge], new Map(), 20, 0).problems).toHaveLength(1);
});

test("counts that stopped moving are missing data", () => {
  const stale = judgeEdges([edge], new Map([[edge.edge, { counts: healthy, seconds: 3 }]]), 20, 0);
  expect(stale.problems).toEqual([expect.stringContaining("no fresh counts")]);
  expect(stale.measurements).toMatchObject([{ value: null }]);
});

test("an edge in trouble is measured in full, one in order by its success", () => {
  const of = (counts: EdgeCounts) =>
    judgeEdges([edge], new Map([[edge.edge, { counts, seconds: 20 }]]), 20, 0).measurements.map(
      ({ name, value }) => [name, value],
    );
  expect(of(healthy)).toEqual([["success of 40 requests of frontend -> cart:7070", 1]]);
  expect(of({ ...healthy, ok: 20, failed: 20 })).toHaveLength(3);
});

const allWithin = (ok: number): EdgeCounts => ({ ok, failed: 0, within: within({ 25: ok, 100: ok }) });

test("a load that rises or falls makes as many requests usual as it asks for", () => {
  const order = (factor: number, at: number) => ({
    pattern: { shape: "step", factor, at } as const,
    seed: "",
    origin: 0,
  });
  const judgeUnder = (ok: number, load?: ReturnType<typeof order>) =>
    judgeEdges(
      [edge],
      new Map([[edge.edge, { counts: allWithin(ok), seconds: 60, to: 60_000 }]]),
      60,
      0,
      load,
    ).problems;
  // 2 a second over a minute: 120 are usual, and 60 pass.
  expect(judgeUnder(110)).toEqual([]);
  expect(judgeUnder(20)).toHaveLength(1);
  // Three times as many were asked for: what was usual before is a third, and too little.
  expect(judgeUnder(110, order(3, 0))).toEqual([
    "frontend -> cart:7070 had 110 requests in 60 s, 360 are usual",
  ]);
  expect(judgeUnder(350, order(3, 0))).toEqual([]);
  // Half a minute of each: 60 and 180.
  expect(judgeUnder(230, order(3, 30))).toEqual([]);
  expect(judgeUnder(80, order(3, 30))).toHaveLength(1);
  // A fifth was asked for.
  expect(judgeUnder(20, order(0.2, 0))).toEqual([]);
  expect(judgeUnder(2, order(0.2, 0))).toHaveLength(1);
});
