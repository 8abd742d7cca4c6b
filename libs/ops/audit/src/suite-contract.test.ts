import { planCases } from "@microremed/planner";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

const { environments, suites } = catalogue;

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
