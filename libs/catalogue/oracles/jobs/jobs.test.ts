import { expect, test } from "vitest";
import { judgeRuns, lateRuns, type Run, runOf } from "./index.ts";
import { periodSeconds } from "./period.ts";

const at = 1_000_000;
const run = (secondsAgo: number | null): Run => ({
  name: "report",
  period: 60,
  completed: secondsAgo === null ? null : at - secondsAgo * 1000,
});

test.each<[what: string, runs: readonly Run[], passed: boolean]>([
  ["a run that was completed a period ago", [run(90)], true],
  ["a run that was due and was not completed", [run(91)], false],
  ["a CronJob that never completed one", [run(null)], false],
  ["a CronJob that is gone or suspended", [], false],
])("%s", (_, runs, passed) => {
  expect(judgeRuns(runs, 1, at).passed).toBe(passed);
});

test("an arena that had no CronJob needs none", () => {
  expect(judgeRuns([], 0, at).passed).toBe(true);
});

test("the symptom shows where a run is clearly late", () => {
  expect(lateRuns([run(101)], at)).toMatchObject({ shows: true });
  expect(lateRuns([run(95)], at)).toMatchObject({ shows: false });
});

test.each([
  ["* * * * *", 60],
  ["*/5 * * * *", 300],
  ["0 3 * * *", undefined],
  ["*/5 3 * * *", undefined],
  ["*/0 * * * *", undefined],
  ["", undefined],
])("the schedule %s is of %s s", (schedule, seconds) => {
  expect(periodSeconds(schedule)).toBe(seconds);
});

test("a CronJob that is suspended or due once a night is not judged", () => {
  const cronJob = (spec: object) => ({ metadata: { name: "report" }, spec }) as never;
  expect(runOf(cronJob({ schedule: "* * * * *", suspend: true }))).toEqual([]);
  expect(runOf(cronJob({ schedule: "0 3 * * *" }))).toEqual([]);
  expect(runOf(cronJob({ schedule: "*/2 * * * *" }))).toEqual([
    { name: "report", period: 120, completed: null },
  ]);
});
