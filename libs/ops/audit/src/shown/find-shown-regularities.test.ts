import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { findShownRegularities } from "./find-shown-regularities.ts";
import { fieldsOfInjection, type ShownChange, type ShownProblem, shownChanges } from "./shown-change.ts";

const change = (age: number, more: Partial<ShownChange> = {}): ShownChange => ({
  ...{ age, object: "deployment/cart", kind: "rollout", fields: [], isReplaced: true },
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

test("finds that what is wrong is older than all else, or has a change right after it", () => {
  const older = drawn((rng) => [100 + rng.int(20), rng.int(90), rng.int(90)]);
  expect(found(older)).toEqual(
    expect.arrayContaining([
      "the oldest change: where the fault is",
      "the object that was left alone for longest: where the fault is",
    ]),
  );
  const followed = drawn((rng) => {
    const own = 50 + rng.int(20);
    return [own, own - 1, rng.int(40), 80 + rng.int(40)];
  });
  expect(found(followed)).toContain("the earlier of two changes together: where the fault is");
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
    { ...change(10), fields: ["template.spec.containers[].image"] },
    { ...change(30), object: "service/cart", kind: "config", fields: ["spec.ports[].appProtocol"] },
    {
      ...change(120, { object: "deployment/mail", isReplaced: false }),
      fields: ["template.spec.containers[].env[]"],
    },
    change(120, { object: "configmap/flags", kind: "created", isReplaced: false }),
  ]);
});

test("finds a field that an injection writes beside what is wrong, and that nothing harmless shows", () => {
  const logged = (line: string): ShownChange[] => shownChanges(line, Date.parse("2026-01-02T00:00:20Z"));
  const log = [
    "00:00:10 deployment/cart (rollout): template.spec.nodeSelector: absent -> {}",
    "00:00:10 deployment/cart (rollout): spec.replicas is now 1; spec.template.spec.nodeSelector.disk is now 1",
  ].join("\n");
  const fault = { fault: "no-node", changes: logged(log), truth: ["spec.template.spec.nodeSelector"] };
  const scaled = logged("00:00:05 deployment/mail (scale): spec.replicas is now 2");
  expect(fieldsOfInjection([fault], scaled)).toEqual(["no-node: spec.replicas"]);
  expect(fieldsOfInjection([{ ...fault, truth: [...fault.truth, "spec.replicas"] }], scaled)).toEqual([]);
  expect(
    fieldsOfInjection(
      [fault],
      scaled.map((one) => ({ ...one, kind: "rollout" })),
    ),
  ).toEqual([]);
});
