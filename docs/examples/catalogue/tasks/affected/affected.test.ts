import { nothingWrong } from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import affected from "./index.ts";

const broken = { ...nothingWrong, affected: [{ kind: "Deployment", name: "cart" }] };

test.each([
  [broken, { kind: "Deployment", name: "cart" }, 1],
  [broken, { kind: "Deployment", name: "shop" }, 0.5],
  [broken, { kind: "Service", name: "cart" }, 0],
  [broken, { kind: null, name: null }, 0],
  [nothingWrong, { kind: null, name: null }, 1],
  [nothingWrong, { kind: "Deployment", name: "cart" }, 0],
])("%j, answered %j: score %d", async (truth, answer, score) => {
  expect(await affected.grade(aGradeContext([truth], answer))).toMatchObject({ passed: score === 1, score });
});
