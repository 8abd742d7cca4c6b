import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { eligibleTargets, planCases, planEpisodes, planOf } from "./plan.ts";

const catalogue = await builtInCatalogue();
const { environments } = catalogue;
const findFault = catalogue.faults.get;

const boutique = environments.get("online-boutique");
const tickets = environments.get("train-ticket");

test("the same seed gives the same plan, another seed another one", () => {
  const plan = planCases({ failures: "hard@1", seed: 7 }, boutique, catalogue);
  expect(plan).toHaveLength(80);
  expect(planCases({ failures: "hard@1", seed: 7 }, boutique, catalogue)).toEqual(plan);
  expect(planCases({ failures: "hard@1", seed: 8 }, boutique, catalogue)).not.toEqual(plan);
});

test("a longer plan begins like a shorter one", () => {
  const draw = (random: number) => planCases({ failures: { random }, seed: 3 }, boutique, catalogue);
  expect(draw(40).slice(0, 10)).toEqual(draw(10));
});

test("runs single cases of a plan as the whole plan would", () => {
  const all = planCases({ failures: "hard@1", seed: 7 }, boutique, catalogue);
  expect(planCases({ failures: "hard@1", seed: 7, cases: [17, 3] }, boutique, catalogue)).toEqual([
    all[17],
    all[3],
  ]);
  const beyond = () => planCases({ failures: "hard@1", seed: 7, cases: [3, 80] }, boutique, catalogue);
  expect(beyond).toThrow("there is no case 80: the plan has 80 cases, numbered from 0");
});

test("takes a level, a failure's sequence, a list, or a number", () => {
  const failures = (plan: string | string[]) =>
    planCases({ failures: plan, seed: 1 }, boutique, catalogue).map(({ failure }) => failure);
  expect(failures("easy@1")).toHaveLength(23);
  expect(failures("disk-io")).toEqual(Array(15).fill("disk-io"));
  expect(failures(["pod-fail", "cpu-stress"])).toEqual(["pod-fail", "cpu-stress"]);
});

test("draws only targets on which the failure can show", () => {
  for (const { failure, target } of planCases({ failures: { random: 500 }, seed: 1 }, tickets, catalogue)) {
    expect(findFault(failure).ineligible?.(tickets, target)).toBeUndefined();
  }
  expect(eligibleTargets(findFault("disk-io"), tickets)).toEqual(["nacosdb-mysql"]);
  expect(eligibleTargets(findFault("disk-io"), boutique)).not.toContain("redis-cart");
  expect(findFault("memory-stress").ineligible?.(tickets, "ts-ui-dashboard")).toMatch(/500Mi.*OOM kill/);
  expect(eligibleTargets(findFault("memory-stress"), tickets)).toHaveLength(45);
});

test("names what exists when the plan asks for something else", () => {
  const plan = (failures: string | string[]) => () => planCases({ failures, seed: 1 }, boutique, catalogue);
  expect(plan("extreme")).toThrow(/"extreme"; known: .*"easy@1".*"cpu-stress"/);
  expect(plan(["cpu-stress", "quake"])).toThrow(/"quake"; known: .*"cpu-stress"/);
});

test("every case is run with every method, model and repeat, and is the same case for all of them", () => {
  const plan = planEpisodes(
    { failures: ["cpu-stress", "pod-fail"], seed: 1, model: ["a", "b", "c"], method: ["X", "Y"], repeats: 2 },
    boutique,
    catalogue,
  );
  expect(plan).toHaveLength(2 * 3 * 2 * 2);
  expect(plan.map(({ index }) => index)).toEqual(plan.map((_, index) => index));
  expect(plan.map(({ model }) => model)).toEqual(plan.map((_, index) => ["a", "b", "c"][index % 3]));
  const cases = Map.groupBy(plan, ({ caseId }) => caseId);
  expect(cases.size).toBe(2);
  for (const episodes of cases.values()) {
    expect(new Set(episodes.map(({ failure, target }) => `${failure} ${target}`)).size).toBe(1);
    expect(new Set(episodes.map(({ model, method, repeat }) => `${model} ${method} ${repeat}`)).size).toBe(
      12,
    );
  }
});

test("names up to three other targets, in an order of the seed's", () => {
  const [first] = planCases({ failures: ["cpu-stress"], seed: 1 }, boutique, catalogue);
  if (!first) throw new Error("nothing was planned");
  expect(new Set([first.target, ...first.alternatives]).size).toBe(4);
  expect(eligibleTargets(findFault("cpu-stress"), boutique)).toEqual(
    expect.arrayContaining(first.alternatives),
  );
  const [only] = planCases({ failures: ["disk-io"], seed: 1 }, tickets, catalogue);
  expect(only).toMatchObject({ target: "nacosdb-mysql", alternatives: [] });
});

test("a part of a plan is that part of the whole, and a plan of a million begins at once", () => {
  const matrix = { failures: { random: 20 }, seed: 3, model: ["a", "b"], method: ["X", "Y"], repeats: 2 };
  const whole = planEpisodes(matrix, boutique, catalogue);
  const plan = planOf(matrix, boutique, catalogue);
  expect(plan.total).toBe(160);
  expect(whole.map(({ index }) => index)).toEqual(Array.from({ length: 160 }, (_, i) => i));
  for (const [from, to] of [
    [0, 1],
    [5, 23],
    [8, 16],
    [150, 400],
  ] as const) {
    expect(plan.episodes(from, to)).toEqual(whole.slice(from, to));
  }
  const huge = planOf({ ...matrix, failures: { random: 125_000 } }, boutique, catalogue);
  expect(huge.total).toBe(1_000_000);
  expect(huge.episodes(999_998, 1_000_000).map(({ index }) => index)).toEqual([999_998, 999_999]);
});

test("single episodes of a plan are those of the whole plan, numbered without gaps", () => {
  const request = { failures: "easy@1", seed: 3, model: ["a"], method: ["X", "Y"], repeats: 2 };
  const whole = planOf(request, boutique, catalogue).episodes(0, 1000);
  const plan = planOf({ ...request, episodes: [7, 2, 90] }, boutique, catalogue);
  expect(plan.total).toBe(3);
  expect(plan.episodes(0, 1000)).toEqual([7, 2, 90].map((number, index) => ({ ...whole[number], index })));
  expect(plan.episodes(1, 2)).toEqual([{ ...whole[2], index: 1 }]);
  const wrong = (change: object) => () => planOf({ ...request, ...change }, boutique, catalogue);
  expect(wrong({ episodes: [92] })).toThrow("there is no episode 92: the plan has 92 episodes");
  expect(wrong({ episodes: [1], model: ["a", "b"] })).toThrow("of one model");
});

test("a target of the user's is the only one, and one that is not possible is refused with those that are", () => {
  const plan = (failures: string | string[] | { random: number }, target: string) =>
    planCases({ failures, seed: 1, target }, boutique, catalogue);
  expect(plan(["cpu-stress", "pod-fail"], "cartservice")).toMatchObject([
    { failure: "cpu-stress", target: "cartservice", alternatives: [] },
    { failure: "pod-fail", target: "cartservice", alternatives: [] },
  ]);
  expect(plan({ random: 20 }, "cartservice").every(({ target }) => target === "cartservice")).toBe(true);
  expect(() => plan(["cpu-stress"], "cartservcie")).toThrow(
    /cpu-stress cannot be injected into "cartservcie": it is no target of online-boutique; possible: .*"cartservice"/,
  );
  expect(() => plan(["disk-io"], "redis-cart")).toThrow(
    /disk-io cannot be injected into "redis-cart".*possible/,
  );
});

test("controls are never drawn, and a matrix too large for one experiment is refused", () => {
  const drawn = planCases({ failures: { random: 500 }, seed: 1 }, boutique, catalogue).map(
    ({ failure }) => failure,
  );
  expect(new Set(drawn).size).toBe(7);
  expect(planCases({ failures: ["none"], seed: 1 }, boutique, catalogue)).toHaveLength(1);
  const matrix = {
    failures: { random: 500_000 },
    seed: 1,
    model: ["a", "b", "c"],
    method: ["X"],
    repeats: 1,
  };
  expect(() => planEpisodes(matrix, boutique, catalogue)).toThrow(
    /1500000 episodes; an experiment may have at most 1000000/,
  );
});
