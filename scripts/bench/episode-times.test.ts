import type { SeenSpan } from "@microremed/service-kit/testing";
import { expect, test } from "vitest";
import { episodeTimes } from "./episode-times.ts";

function span(name: string, startedAt: number, endedAt: number, attributes = {}): SeenSpan {
  const ids = { traceId: "one", spanId: `${name}${startedAt}`, parentSpanId: undefined };
  return { name, ...ids, kind: "internal", startedAt, endedAt, failed: false, attributes, resource: {} };
}

test("every millisecond of an episode is in one part", () => {
  const [times] = episodeTimes([
    span("episode", 0, 1000),
    span("stage prepare", 10, 200),
    span("process commands.prepare", 30, 190, {
      "microremed.cluster_request_ms": 100,
      "microremed.cluster_wait_ms": 40,
    }),
    span("stage act", 210, 900),
    // It ends after the scheduler has its result.
    span("process commands.act", 210, 905),
    span("ansible-playbook", 300, 800),
  ]);
  expect(Object.fromEntries(times ?? [])).toEqual({
    "prepare: until taken": 20,
    "prepare: requests to the cluster": 100,
    "prepare: waits on the cluster's clock": 40,
    "prepare: its own work": 20,
    "prepare: until the result is taken": 10,
    "act: until taken": 0,
    "act: Ansible": 500,
    "act: its own work": 190,
    "act: until the result is taken": 0,
    "between stages": 120,
  });
  expect([...(times ?? new Map()).values()].reduce((sum, ms) => sum + ms, 0)).toBe(1000);
});

test("parts at the same time are counted once", () => {
  const [times] = episodeTimes([
    span("episode", 0, 200),
    span("stage grade", 0, 150),
    span("process commands.grade", 0, 100, {
      "microremed.cluster_request_ms": 90,
      "microremed.cluster_wait_ms": 40,
    }),
    // Delivered again while the first one still worked.
    span("process commands.grade", 60, 150),
  ]);
  expect(times?.get("counted twice: parts at the same time")).toBe(-70);
  expect([...(times ?? new Map()).values()].reduce((sum, ms) => sum + ms, 0)).toBe(200);
});

test("a trace without its episode is left out, as one that goes on is", () => {
  expect(episodeTimes([span("stage prepare", 10, 200)])).toEqual([]);
});
