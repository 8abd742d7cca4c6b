import { type GroundTruth, nothingWrong } from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import detection from "./index.ts";

const broken: GroundTruth = {
  ...nothingWrong,
  objects: [{ kind: "Deployment", name: "cart", field: "", wrong: "its memory is full", right: "it is not" }],
};

test.each([
  [[broken], true, true],
  [[broken], false, false],
  [[], false, true],
  [[], true, false],
])("an answer passes if it says what is the case", async (truths, anomaly, passed) => {
  const grade = await detection.grade(aGradeContext(truths, { anomaly }));
  expect(grade).toMatchObject({ passed, score: Number(passed) });
});

test("an answer of another shape fails, and the grade names the field", async () => {
  const grade = await detection.grade(aGradeContext([broken], { anomaly: "yes" }));
  expect(grade).toMatchObject({ passed: false, score: 0, reason: expect.stringContaining("anomaly") });
});

test("the question says nothing of the incident", () => {
  const words = detection.question({ environment: "shop", namespace: "shop-1" });
  expect(words).toContain("shop-1");
  expect(detection.mayAct).toBe(false);
});
