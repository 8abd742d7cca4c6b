import { expect, test } from "vitest";
import { works } from "./works.ts";

const requests = { traced: 100, answered: 1, medianMs: 5, p95Ms: 9, failures: [] };
const asked = (answered: boolean) => ({ method: "GET" as const, path: "/", answered });
const whole = { problem: "", jobs: [], baselines: [], requests, journeys: [asked(true)] };

test.each([
  ["all is well", {}, true],
  ["a Job is not complete", { problem: "Job migrate is not complete" }, false],
  [
    "a run of a CronJob failed",
    { jobs: [{ kind: "CronJob" as const, name: "a", isOver: true, why: "", log: [] }] },
    false,
  ],
  ["a target has no baseline", { baselines: [{ target: "a", why: "" }] }, false],
  ["no request was traced", { requests: null }, false],
  ["users get errors", { requests: { ...requests, answered: 0.9 } }, false],
  ["a path of a load is not answered rightly", { journeys: [asked(true), asked(false)] }, false],
])("whether a system works where %s", (_, change, expected) => {
  expect(works({ ...whole, ...change })).toBe(expected);
});
