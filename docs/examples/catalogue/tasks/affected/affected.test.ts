import type { GroundTruth } from "@microremed/catalogue";
import { expect, test } from "vitest";
import affected from "./index.ts";

const healthy: GroundTruth = {
  objects: [],
  affected: [],
  mechanism: "nothing is wrong",
  systemLevel: null,
  faultType: null,
};
const broken: GroundTruth = { ...healthy, affected: [{ kind: "Deployment", name: "cart" }] };
const verify = () => Promise.reject(new Error("an answer is graded without measuring the system"));

test.each([
  [broken, { kind: "Deployment", name: "cart" }, 1],
  [broken, { kind: "Deployment", name: "shop" }, 0.5],
  [broken, { kind: "Service", name: "cart" }, 0],
  [broken, { kind: null, name: null }, 0],
  [healthy, { kind: null, name: null }, 1],
  [healthy, { kind: "Deployment", name: "cart" }, 0],
])("%j, answered %j: score %d", async (truth, answer, score) => {
  expect(await affected.grade({ truth, answer, verify })).toMatchObject({ passed: score === 1, score });
});
