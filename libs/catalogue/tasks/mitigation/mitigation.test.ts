import type { Verdict } from "@microremed/catalogue";
import { aGradeContext } from "@microremed/catalogue/testing";
import { expect, test } from "vitest";
import mitigation from "./index.ts";

test.each([true, false])("the grade is the strict verdict: %s", async (recovered) => {
  const verdict = { recovered, reason: "as measured" } as Verdict;
  const grade = await mitigation.grade({ ...aGradeContext([], null), verify: async () => verdict });
  expect(grade).toEqual({ passed: recovered, score: Number(recovered), parts: {}, reason: "as measured" });
});
