import { readReport } from "@microremed/scoring";
import { expect, test } from "vitest";
import { type ComparedRun, pairUp } from "./pair-up.ts";

const report = (problems: string) =>
  readReport({ experimentId: "exp-1", request: { model: "a", problems }, episodes: [] });
const group = (run: string, method: string, task: string, problems = "range@1"): ComparedRun => ({
  run,
  report: report(problems),
  group: { model: "none", method, task },
});
const named = (pairs: readonly (readonly ComparedRun[])[]) =>
  pairs.map((pair) => pair.map(({ run, group: { method, task } }) => `${run} ${method} ${task}`));

test("groups are paired by run, method and task; what has no counterpart is left out", () => {
  const left = [
    group("one", "A", "detection"),
    group("one", "A", "localization"),
    group("two", "A", "detection"),
  ];
  const right = [
    group("two", "A", "detection"),
    group("one", "A", "detection"),
    group("one", "B", "detection"),
  ];
  expect(named(pairUp(left, right))).toEqual([
    ["one A detection", "one A detection"],
    ["two A detection", "two A detection"],
  ]);
});

test("runs of other names are paired by what they are on, each once", () => {
  const left = [group("mon", "A", "detection"), group("mon2", "A", "detection", "corner@1")];
  const right = [
    group("tue", "A", "detection", "corner@1"),
    group("tue2", "A", "detection"),
    group("x", "B", "detection"),
  ];
  expect(named(pairUp(left, right))).toEqual([
    ["mon A detection", "tue2 A detection"],
    ["mon2 A detection", "tue A detection"],
  ]);
});

test("one method on each side is compared task by task, whatever the two are called", () => {
  const left = [group("", "A", "detection"), group("", "A", "analysis")];
  const right = [group("", "B", "analysis"), group("", "B", "detection")];
  expect(named(pairUp(left, right))).toEqual([
    [" A detection", " B detection"],
    [" A analysis", " B analysis"],
  ]);
});

test("of sides that have nothing in common it is said what each has", () => {
  const several = (method: string) => ["analysis", "detection"].map((task) => group("", method, task));
  expect(() => pairUp([...several("A"), ...several("C")], several("B"))).toThrow(
    /A has #none#A#analysis, .* B has #none#B/,
  );
});
