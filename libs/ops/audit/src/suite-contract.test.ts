import { ExperimentRequest } from "@microremed/contracts";
import { planCases, planProblems } from "@microremed/planner";
import { expect, test } from "vitest";
import { findRegularities } from "./regularities/find-regularities.ts";
import { catalogue } from "./testing/entries.ts";

const { environments, problems, suites } = catalogue;

const ofFaults = suites.names.filter((name) => !catalogue.problems.suites.includes(name));

test.each(ofFaults)("%s: every fault of it has a target somewhere, and its cases are the seed's", (name) => {
  const { cases, draw } = suites.get(name);
  expect(cases.length > 0 !== draw.length > 0, "either cases or draw").toBe(true);
  for (const failure of new Set([...cases, ...draw])) {
    const fault = catalogue.faults.get(failure);
    expect(
      environments.all().some((one) => fault.targets(one).length > 0),
      failure,
    ).toBe(true);
  }
  const possible = environments
    .all()
    .filter((one) => cases.every((failure) => catalogue.faults.get(failure).targets(one).length > 0));
  expect(draw.length > 0 || possible.length > 0, "an environment that has a target for all of it").toBe(true);
  for (const environment of cases.length > 0 ? possible : []) {
    const plan = (seed: number) => planCases({ failures: name, seed }, environment, catalogue);
    expect(plan(1).map(({ failure }) => failure)).toEqual(cases);
    expect(plan(1)).toEqual(plan(1));
  }
});

const ofProblems = problems.suites.filter((name) =>
  problems.of(name).some(({ missing }) => missing.length === 0),
);

test.each(ofProblems)("%s: the same seed gives the same cases of its problems", (name) => {
  const plan = () => {
    const request = ExperimentRequest.parse({ problems: name, seed: 1, model: "a", method: "Player" });
    const { total, episodes } = planProblems(request, catalogue);
    return episodes(0, total);
  };
  expect(plan().length).toBeGreaterThan(0);
  expect(plan()).toEqual(plan());
});

/** Suites of before: what they mean never changes. docs/problems.md says what theirs predict. */
const before = ["microremed@1", "range@1", "range@2"];
const mustPredictNothing = ofProblems.filter((name) => !suites.get(name).elsewhere && !before.includes(name));

test.each(mustPredictNothing)("%s: no single property that agents see predicts more than chance", (name) => {
  const found = findRegularities(problems.of(name), catalogue);
  expect(
    found.map(({ task, by, predicted, words }) => `${task}: ${by} predicts ${predicted} (${words})`),
  ).toEqual([]);
});
