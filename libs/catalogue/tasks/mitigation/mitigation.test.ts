import type { Verdict } from "@microremed/catalogue";
import { expect, test } from "vitest";
import mitigation from "./index.ts";

const truth = {
  objects: [],
  affected: [],
  mechanism: "nothing is wrong",
  systemLevel: null,
  faultType: null,
};

test.each([true, false])("the grade is the strict verdict: %s", async (recovered) => {
  const verdict = { recovered, reason: "as measured" } as Verdict;
  const grade = await mitigation.grade({ truth, answer: null, verify: async () => verdict });
  expect(grade).toEqual({ passed: recovered, score: Number(recovered), parts: {}, reason: "as measured" });
});
