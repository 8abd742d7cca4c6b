import type { Problem } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { catalogue } from "../testing/entries.ts";
import { findRegularities } from "./find-regularities.ts";

const { problems } = catalogue;
const inRange1 = findRegularities(problems.of("range@1"), catalogue);
const inRange2 = findRegularities(problems.of("range@2"), catalogue);

test.each([
  ["range@1", inRange1, "localization", "an unusual load", "the fault"],
  ["range@1", inRange1, "analysis", "an unusual load", "the fault"],
  ["range@1", inRange1, "detection", "noise request-burst", "whether anything is wrong"],
  ["range@1", inRange1, "", "task", "whether anything is wrong"],
  ["range@1", inRange1, "", "the list of possible targets", "the target"],
  ["range@2", inRange2, "detection", "number of noises", "whether anything is wrong"],
  ["range@2", inRange2, "mitigation", "number of noises", "whether anything is wrong"],
])("%s: finds what it is known to have, %#", (_, found, task, by, predicted) => {
  expect(found).toContainEqual(expect.objectContaining({ task, by, predicted }));
});

const calm: Omit<Problem, "id" | "incident" | "noise"> = {
  suite: "made@1",
  title: "made",
  environment: "simple-micro",
  tasks: ["detection"],
  information: { report: "none", concealment: "neutral" },
  limits: {},
  heldOut: [],
  note: null,
  missing: [],
};
const on = (target: string, i: number, noiseOn: string): Problem => ({
  ...calm,
  id: `made@1/${i}`,
  incident: [{ fault: "cpu-stress", target, at: 0 }],
  noise: [{ noise: "scaled-out", target: noiseOn, ago: 60 }],
});
const targets = ["hello-service", "time-service"] as const;

test("finds that noises keep away from faults, and that they do not", () => {
  const made = (apart: boolean): Problem[] =>
    Array.from({ length: 40 }, (_, i) => {
      const target = targets[i % 2] as string;
      const other = targets[(i + 1) % 2] as string;
      return on(target, i, apart || i % 4 < 2 ? other : target);
    });
  const inPlaces = (problems: Problem[]): string[] =>
    findRegularities(problems, catalogue).flatMap(({ by }) => (by === "the workload of a noise" ? [by] : []));
  expect(inPlaces(made(true))).toEqual(["the workload of a noise"]);
  expect(inPlaces(made(false))).toEqual([]);
});
