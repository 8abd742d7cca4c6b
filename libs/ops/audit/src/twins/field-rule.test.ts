import { logOfFault, logOfNoise } from "@microremed/catalogue";
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

/** Each suite's problems as these seeds draw what is around their incidents. */
const problemsOf = new Map(
  drawn.map(({ name }) => [
    name,
    seeds.map((seed) => catalogue.problems.of(name).map((one) => catalogue.problems.at(one, seed))),
  ]),
);

test.each(drawn)("$name: which fields were changed does not say whether something is wrong", ({ name }) => {
  const accuracies = (problemsOf.get(name) ?? []).map((problems) =>
    accuracyOfFields(problems.map((one) => changedProblem(one, catalogue))),
  );
  expect(accuracies.reduce((sum, one) => sum + one, 0) / seeds.length).toBeLessThan(mostAccurate);
});

/** Balanced accuracy of who goes by whether one noise is there, at most; and how many times as often it is on one side, at most. */
const byOneNoise = { mostAccurate: 0.53, mostTimes: 2.75 };
/** A noise that is rarer is not counted. */
const leastSeen = 60;

test.each(drawn)(
  "$name: no noise is seen much more often where nothing is wrong, or where something is",
  ({ name }) => {
    const problems = (problemsOf.get(name) ?? []).flat();
    const shareOf = (noise: string, isFaulty: boolean): number => {
      const some = problems.filter(({ incident }) => incident.length > 0 === isFaulty);
      return some.filter((one) => one.noise.some((each) => each.noise === noise)).length / some.length;
    };
    const seen = Map.groupBy(
      problems.flatMap(({ noise }) => noise),
      ({ noise }) => noise,
    );
    const uneven = [...seen].flatMap(([noise, { length }]) => {
      const [faulty, healthy] = [shareOf(noise, true), shareOf(noise, false)];
      const accuracy = 0.5 + Math.abs(faulty - healthy) / 2;
      const times = Math.max(faulty / healthy, healthy / faulty);
      const isFair = accuracy <= byOneNoise.mostAccurate && times <= byOneNoise.mostTimes;
      return length < leastSeen || isFair ? [] : [`${noise}: ${faulty.toFixed(3)}, ${healthy.toFixed(3)}`];
    });
    expect(seen.size).toBeGreaterThan(30);
    expect(uneven, "share of the problems with a fault, and without").toEqual([]);
  },
);

test.each(drawn)(
  "$name: the number of lines in a change log does not say whether something is wrong",
  ({ name }) => {
    const counts = (problemsOf.get(name) ?? []).flat().map(({ environment: on, incident, noise }) => {
      const environment = catalogue.environments.get(on);
      const ofFaults = incident.map((one) =>
        logOfFault(catalogue.faults.get(one.fault), environment, one.target),
      );
      const lines = [...ofFaults, ...noise.map((one) => logOfNoise(catalogue.noises.get(one.noise)))].flat();
      return { isFaulty: incident.length > 0, count: lines.length };
    });
    expect(counts.length).toBeGreaterThan(400);
    expect(Math.abs(areaUnder(counts) - 0.5)).toBeLessThan(0.05);
  },
);

test("a number that is always greater where something is wrong says all, and one that is the same nothing", () => {
  const of = (faulty: number, healthy: number) =>
    areaUnder([true, false, true].map((isFaulty) => ({ isFaulty, count: isFaulty ? faulty : healthy })));
  expect([of(2, 1), of(1, 1), of(1, 2)]).toEqual([1, 0.5, 0]);
});

/** How likely a faulty problem has a greater count than a healthy one; the same counts half. */
function areaUnder(counts: readonly { readonly isFaulty: boolean; readonly count: number }[]): number {
  const [faulty, healthy] = [true, false].map((is) =>
    Map.groupBy(
      counts.filter(({ isFaulty }) => isFaulty === is),
      ({ count }) => count,
    ),
  );
  let [above, all] = [0, 0];
  for (const [a, { length: some }] of faulty ?? [])
    for (const [b, { length: others }] of healthy ?? []) {
      all += some * others;
      above += some * others * (a > b ? 1 : a === b ? 0.5 : 0);
    }
  return above / all;
}
