import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { eligibleTargets, planEpisodes } from "./plan.ts";
import { findFault } from "./registry.ts";

const boutique = environments.get("online-boutique");
const tickets = environments.get("train-ticket");

test("the same seed gives the same plan, another seed another one", () => {
  const plan = planEpisodes({ failures: "hard", seed: 7 }, boutique);
  expect(plan).toHaveLength(80);
  expect(planEpisodes({ failures: "hard", seed: 7 }, boutique)).toEqual(plan);
  expect(planEpisodes({ failures: "hard", seed: 8 }, boutique)).not.toEqual(plan);
});

test("a longer plan begins like a shorter one", () => {
  const draw = (random: number) => planEpisodes({ failures: { random }, seed: 3 }, boutique);
  expect(draw(40).slice(0, 10)).toEqual(draw(10));
});

test("takes a level, a failure's sequence, a list, or a number", () => {
  const failures = (plan: string | string[]) =>
    planEpisodes({ failures: plan, seed: 1 }, boutique).map(({ failure }) => failure);
  expect(failures("easy")).toHaveLength(23);
  expect(failures("disk-io")).toEqual(Array(15).fill("disk-io"));
  expect(failures(["pod-fail", "cpu-stress"])).toEqual(["pod-fail", "cpu-stress"]);
});

test("draws only targets on which the failure can show", () => {
  for (const { failure, target } of planEpisodes({ failures: { random: 500 }, seed: 1 }, tickets)) {
    expect(findFault(failure).ineligible(tickets, target)).toBeUndefined();
  }
  expect(eligibleTargets(findFault("disk-io"), tickets)).toEqual(["nacosdb-mysql"]);
  expect(eligibleTargets(findFault("disk-io"), boutique)).not.toContain("redis-cart");
  expect(findFault("memory-stress").ineligible(tickets, "ts-ui-dashboard")).toMatch(/500Mi.*OOM kill/);
  expect(eligibleTargets(findFault("memory-stress"), tickets)).toHaveLength(45);
});

test("names what exists when the plan asks for something else", () => {
  const plan = (failures: string | string[]) => () => planEpisodes({ failures, seed: 1 }, boutique);
  expect(plan("extreme")).toThrow(/"extreme"; known: "easy", "medium", "hard"/);
  expect(plan(["cpu-stress", "dns"])).toThrow(/"dns"; known: "cpu-stress"/);
});
