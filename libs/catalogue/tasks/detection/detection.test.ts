import type { GroundTruth } from "@microremed/catalogue";
import { expect, test } from "vitest";
import detection from "./index.ts";

const healthy: GroundTruth = {
  objects: [],
  affected: [],
  mechanism: "nothing is wrong",
  systemLevel: null,
  faultType: null,
};
const broken: GroundTruth = {
  ...healthy,
  objects: [{ kind: "Deployment", name: "cart", field: "", wrong: "its memory is full", right: "it is not" }],
};
const verify = () => Promise.reject(new Error("an answer is graded without measuring the system"));

test.each([
  [broken, true, true],
  [broken, false, false],
  [healthy, false, true],
  [healthy, true, false],
])("an answer passes if it says what is the case", async (truth, anomaly, passed) => {
  const grade = await detection.grade({ truth, answer: { anomaly }, verify });
  expect(grade).toMatchObject({ passed, score: Number(passed) });
});

test("an answer of another shape fails, and the grade names the field", async () => {
  const grade = await detection.grade({ truth: broken, answer: { anomaly: "yes" }, verify });
  expect(grade).toMatchObject({ passed: false, score: 0, reason: expect.stringContaining("anomaly") });
});

test("the question says nothing of the incident", () => {
  const words = detection.question({ environment: "shop", namespace: "shop-1" });
  expect(words).toContain("shop-1");
  expect(detection.mayAct).toBe(false);
});
