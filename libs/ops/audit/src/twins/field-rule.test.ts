import { expect, test } from "vitest";
import { catalogue } from "../testing/entries.ts";
import { accuracyOfFields, type ChangedProblem, changedProblem } from "./field-rule.ts";

const field = (name: string) => ({ kind: "Deployment", field: `spec.${name}` });
const made = (of: (i: number, isFaulty: boolean) => string): ChangedProblem[] =>
  Array.from({ length: 200 }, (_, i) => {
    const isFaulty = i % 4 < 2;
    return { isFaulty, fields: [field("strategy"), field(of(i, isFaulty))] };
  });

test("a field of faults alone says all, one of noises alone nothing, and a shared one nothing", () => {
  expect(accuracyOfFields(made((_, isFaulty) => (isFaulty ? "paused" : "replicas")))).toBe(1);
  expect(accuracyOfFields(made(() => "replicas"))).toBe(0.5);
  expect(
    accuracyOfFields(made((i, isFaulty) => (isFaulty && i % 3 === 0 ? "paused" : "replicas"))),
  ).toBeCloseTo(0.67, 1);
});

/** Of the suites on which agents are compared: by chance 0.5. */
const mostAccurate = 0.55;
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const drawn = catalogue.suites.all().filter(({ values, pools }) => values === "drawn" && pools.length > 0);

test.each(drawn)("$name: which fields were changed does not say whether something is wrong", ({ name }) => {
  const accuracies = seeds.map((seed) =>
    accuracyOfFields(
      catalogue.problems.of(name).map((one) => changedProblem(catalogue.problems.at(one, seed), catalogue)),
    ),
  );
  expect(accuracies.reduce((sum, one) => sum + one, 0) / seeds.length).toBeLessThan(mostAccurate);
});
