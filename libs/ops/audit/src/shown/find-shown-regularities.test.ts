import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { findShownRegularities } from "./find-shown-regularities.ts";
import { type ShownChange, type ShownProblem, shownChanges } from "./shown-change.ts";

const change = (age: number, more: Partial<ShownChange> = {}): ShownChange => ({
  ...{ age, object: "deployment/cart", kind: "rollout", isReplaced: true },
  ...more,
});

/** Forty problems, each with a change that counts and another one. */
const drawn = (ages: (rng: ReturnType<typeof createRng>, isFaulty: boolean) => number[]): ShownProblem[] => {
  const rng = createRng("test");
  return Array.from({ length: 40 }, (_, i) => {
    const isFaulty = i % 2 === 0;
    const [own = 0, ...others] = ages(rng, isFaulty);
    const changes = [change(own), ...others.map((age) => change(age, { object: "deployment/mail" }))];
    return {
      ...{ environment: "shop", isFaulty, size: rng.int(500) },
      wrong: isFaulty ? ["deployment/cart"] : [],
      changes: changes.toSorted((a, b) => a.age - b.age),
    };
  });
};
const found = (problems: ShownProblem[]) =>
  findShownRegularities(problems).map(({ by, predicted }) => `${by}: ${predicted}`);

test("finds that only what is wrong is fresh", () => {
  expect(
    found(drawn((rng, isFaulty) => [isFaulty ? rng.int(9) : 60 + rng.int(240), 60 + rng.int(240)])),
  ).toEqual(
    expect.arrayContaining([
      "age of the newest change: whether anything is wrong",
      "age of the newest replaced value: whether anything is wrong",
      "the newest change: where the fault is",
    ]),
  );
});

test("finds that more was changed where something is wrong", () => {
  expect(
    found(drawn((rng, isFaulty) => (isFaulty ? [rng.int(120), rng.int(120)] : [rng.int(120)]))),
  ).toContain("number of changes: whether anything is wrong");
});

test("finds nothing where all is drawn alike", () => {
  expect(found(drawn((rng) => [rng.int(120), rng.int(120)]))).toEqual([]);
});

test("reads the change log as agents are shown it", () => {
  const answer = [
    "3 changes since 23:50:00, the latest first",
    '00:00:10 deployment/cart (rollout): template.spec.containers[cart].image: "a:1" -> "a:2"',
    '23:59:50 service/cart (config): spec.ports[80].appProtocol is now "http"',
    '23:58:20 deployment/mail (rollout): template.spec.containers[mail].env[A]: absent -> {"name":"A"}',
    "23:58:20 configmap/flags (created): was created",
  ].join("\n");
  expect(shownChanges(answer, Date.parse("2026-01-02T00:00:20Z"))).toEqual([
    { age: 10, object: "deployment/cart", kind: "rollout", isReplaced: true },
    { age: 30, object: "service/cart", kind: "config", isReplaced: true },
    { age: 120, object: "deployment/mail", kind: "rollout", isReplaced: false },
    { age: 120, object: "configmap/flags", kind: "created", isReplaced: false },
  ]);
});
