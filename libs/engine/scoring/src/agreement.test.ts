import { expect, test } from "vitest";
import { agreementOf, type JudgedAnswer } from "./agreement.ts";

/** Answers by what the grade and the judge say of each: `++` both passed, `+-` the grade alone, `+?` the judge failed. */
const answers = (...all: readonly [string, number][]) =>
  all.flatMap(([said, times]) =>
    Array.from({ length: times }, () => {
      const correct = said[1] === "?" ? null : said[1] === "+";
      const judged: JudgedAnswer = { model: "gpt", correct, tokens: 10, cost: 0.01 };
      return { passed: said[0] === "+", judged };
    }),
  );

test("agreement and Cohen's kappa of a table whose kappa is known", () => {
  // Both pass 20, the grade alone 5, the judge alone 10, neither 15: p = 0.7, e = 0.5, kappa = 0.4.
  const found = agreementOf(answers(["++", 20], ["+-", 5], ["-+", 10], ["--", 15]));
  expect(found).toMatchObject({ of: 50, failed: 0, agreement: 0.7, tokens: 500 });
  expect(found?.kappa).toBeCloseTo(0.4);
  expect(found?.cost).toBeCloseTo(0.5);
});

test("agreement by chance alone has a kappa of 0, and perfect agreement one of 1", () => {
  expect(agreementOf(answers(["++", 5], ["+-", 5], ["-+", 5], ["--", 5]))?.kappa).toBeCloseTo(0);
  expect(agreementOf(answers(["++", 5], ["--", 5]))?.kappa).toBeCloseTo(1);
  expect(agreementOf(answers(["+-", 5], ["-+", 5]))?.kappa).toBeCloseTo(-1);
});

test("where both always say the same there is no kappa; what was not judged counts nowhere", () => {
  expect(agreementOf(answers(["++", 5]))).toMatchObject({ agreement: 1, kappa: null });
  expect(agreementOf(answers(["++", 1], ["--", 1], ["+?", 3]))).toMatchObject({ of: 2, failed: 3, kappa: 1 });
  expect(agreementOf(answers(["-?", 3]))).toMatchObject({ of: 0, agreement: null, kappa: null });
  expect(agreementOf([{ passed: true, judged: null }])).toBeNull();
});
