import type { EpisodeDocument } from "@microremed/contracts";
import { expect, test } from "vitest";
import { makePairs } from "./make-pairs.ts";
import { Pair } from "./pair.ts";
import { aRepair, playbookOf } from "./testing/a-repair.ts";

const pairsOf = (episodes: readonly EpisodeDocument[], mostPerCase = 10, seed = 1) =>
  makePairs(episodes, { mostPerCase, seed, tools: new Map() });
const three = [
  aRepair({ id: "a" }),
  aRepair({ id: "b", playbook: playbookOf("kubectl rollout restart deployment hello-service") }),
  aRepair({ id: "c", playbook: playbookOf("true"), recovered: false }),
];
const episodesOf = ({ left, right }: Pair): string => [left.episode, right.episode].toSorted().join();

test("playbooks of one case are paired, with what both were asked, what each said and did", () => {
  const { pairs, leftOut } = pairsOf(three);
  expect(pairs.map(episodesOf).toSorted()).toEqual(["a,b", "a,c", "b,c"]);
  expect(leftOut).toEqual({});
  for (const pair of pairs) {
    expect(() => Pair.parse(JSON.parse(JSON.stringify(pair)))).not.toThrow();
    expect(pair.prompt).toEqual([{ role: "user", content: "Repair hello-service." }]);
    expect(pair.left.completion).toEqual([{ role: "assistant", content: pair.left.playbook }]);
  }
});

test("two that repaired nothing, and two that do the same under other names, are no pair", () => {
  const renamed = aRepair({
    id: "d",
    playbook: playbookOf("kubectl delete stresschaos --all", "Other words"),
  });
  const failed = [three[2], aRepair({ id: "e", playbook: playbookOf("date"), recovered: false })];
  const none = { pairs: [], leftOut: { "its case has no other playbook": 2 } };
  expect(pairsOf([aRepair({ id: "a" }), renamed])).toEqual(none);
  expect(pairsOf(failed.flatMap((one) => one ?? []))).toEqual(none);
});

test("other cases, other questions, other seeds and episodes without one scored playbook are no pair", () => {
  const [one, other] = three as [EpisodeDocument, EpisodeDocument];
  const elsewhere = aRepair({
    id: "b",
    playbook: playbookOf("true"),
    caseId: "1/0004/cpu-stress/hello-service",
  });
  expect(pairsOf([one, elsewhere]).pairs).toEqual([]);
  expect(pairsOf([one, { ...other, request: { ...other.request, seed: 99 } }]).pairs).toEqual([]);
  expect(pairsOf([one, aRepair({ id: "b", playbook: playbookOf("true"), question: "Restart it." })])).toEqual(
    {
      pairs: [],
      leftOut: { "the models were given different words": 2 },
    },
  );
  expect(
    pairsOf([
      { ...one, outcome: "harness-error" },
      { ...other, steps: [] },
    ]).leftOut,
  ).toEqual({
    "not scored": 1,
    "not a repair by one playbook": 1,
  });
});

test("the seed alone decides pairs, order and sides, and no case has more than it may", () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    aRepair({ id: `e${String(at).padStart(2, "0")}`, playbook: playbookOf(`echo ${at}`) }),
  );
  expect(pairsOf(many.toReversed())).toEqual(pairsOf(many));
  const { pairs } = pairsOf(many, 66);
  const leftIsFirst = pairs.filter(({ left, right }) => left.episode < right.episode).length;
  expect(pairs).toHaveLength(66);
  expect(leftIsFirst).toBeGreaterThan(16);
  expect(leftIsFirst).toBeLessThan(50);
  expect(pairsOf(many, 5).pairs).toHaveLength(5);
  expect(pairsOf(many, 5, 2).pairs.map(episodesOf)).not.toEqual(pairsOf(many, 5).pairs.map(episodesOf));
});

test("a playbook that is no YAML is compared as text", () => {
  const broken = aRepair({ id: "x", playbook: ": [" });
  expect(pairsOf([three[0] ?? broken, broken]).pairs).toHaveLength(1);
});
