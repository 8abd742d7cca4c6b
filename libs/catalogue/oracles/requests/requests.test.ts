import {
  edgeCountsOf,
  isInconclusive,
  isRequestMetric,
  parseExposition,
  type RequestsReading,
} from "@microremed/catalogue";
import { expect, test } from "vitest";
import { judgeRequests } from "./index.ts";

const entry = (answered: number | null) => ({ url: "http://shop/", answered });
const edges = [{ edge: "shop", perSecond: 2, success: 1, p95Ms: 25 }];

/** Shop has served so many requests. */
function reading(at: number, served: number, uid = "shop-1"): RequestsReading {
  const name = "http_server_request_duration_seconds";
  const text = `${name}_count ${served}\n${name}_bucket{le="0.1"} ${served}\n`;
  const edges = edgeCountsOf("shop", parseExposition(text, isRequestMetric));
  return { at, programs: new Map([[uid, { at, edges }]]), silent: new Set() };
}

test("passes when the entry answers and the call graph serves as before", () => {
  expect(judgeRequests(entry(33), edges, reading(0, 100), reading(20_000, 140), 0).passed).toBe(true);
  expect(judgeRequests(entry(30), edges, undefined, reading(0, 100), 0).passed).toBe(true);
});

test("an entry that fails or is late does not pass, whatever the programs say", () => {
  const verdict = judgeRequests(entry(29), edges, reading(0, 100), reading(20_000, 140), 0);
  expect(verdict).toMatchObject({ passed: false, reason: expect.stringContaining("29 of 33") });
  expect(judgeRequests(entry(16), [], undefined, undefined, 0).passed).toBe(false);
});

test("stopping the load is no recovery", () => {
  const verdict = judgeRequests(entry(33), edges, reading(0, 100), reading(20_000, 102), 0);
  expect(verdict).toMatchObject({ passed: false, reason: expect.stringContaining("2 requests in 20 s") });
  expect(isInconclusive(verdict)).toBe(false);
});

test("metrics that are gone, or an entry that could not be asked, are never good", () => {
  const noPrograms = { at: 20_000, programs: new Map(), silent: new Set(["shop-1"]) };
  const gone = judgeRequests(entry(33), edges, reading(0, 100), noPrograms, 0);
  expect(gone.passed).toBe(false);
  expect(isInconclusive(gone)).toBe(true);
  expect(judgeRequests(entry(null), edges, undefined, reading(0, 1), 0).passed).toBe(false);
});

test("a system whose programs report nothing is judged by its entry, and the verdict says so", () => {
  expect(judgeRequests(entry(33), [], undefined, undefined, 0)).toMatchObject({
    passed: true,
    reason: expect.stringContaining("the edges behind it are not checked"),
  });
});

test("what a program counted before anybody could read it is not taken for what it counted since", () => {
  const other = reading(0, 0, "shop-2");
  const before = { ...other, silent: new Set(["shop-1"]) };
  expect(judgeRequests(entry(33), edges, before, reading(20_000, 1000), 0).passed).toBe(false);
  expect(judgeRequests(entry(33), edges, other, reading(20_000, 40), 0).passed).toBe(true);
});
