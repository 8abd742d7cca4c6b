import { expect, test } from "vitest";
import { agreementReport } from "./agreement.ts";
import { decide, preferenceFormats } from "./export-preferences.ts";
import type { Choice, Rating } from "./pair.ts";
import { majority, readRatings } from "./ratings.ts";
import { aPair } from "./testing/a-repair.ts";

const worse = { recovered: false, clean: false };
/** The order by outcome: left, left, right, tie. */
const pairs = [aPair("a", {}, worse), aPair("b", {}, worse), aPair("c", worse, {}), aPair("d")];
const rated = (rater: string, pair: string, choice: Choice, at = "2026-01-01T00:00:00Z"): Rating => ({
  ...{ rater, pair, choice, at, reason: null },
});
const ratings = [
  rated("ada", "a", "right"),
  rated("ada", "a", "left"),
  rated("ada", "b", "left"),
  rated("ada", "c", "left"),
  rated("ada", "d", "tie"),
  rated("bo", "a", "left"),
  rated("bo", "b", "left"),
  rated("bo", "c", "right"),
  rated("bo", "elsewhere", "right"),
];

test("raters beside one another and beside the order by outcome; the last rating of a pair counts", () => {
  const report = agreementReport(pairs, ratings);
  expect(report).toMatchObject({ pairs: 4, rated: 4 });
  expect(report.raters).toEqual([
    { rater: "ada", rated: 4, ties: 1 },
    { rater: "bo", rated: 3, ties: 0 },
  ]);
  expect(report.between).toMatchObject([{ raters: ["ada", "bo"], of: 3, agreement: 2 / 3 }]);
  expect(report.automatic.map(({ of, agreement }) => [of, agreement])).toEqual([
    [4, 3 / 4],
    [3, 1],
    [4, 3 / 4],
  ]);
  expect(report.automaticDecided.map(({ of, agreement }) => [of, agreement])).toEqual([
    [3, 2 / 3],
    [3, 1],
    [2, 1],
  ]);
});

test("without ratings there is nothing to agree on", () => {
  expect(agreementReport(pairs, [])).toEqual({
    ...{ pairs: 4, rated: 0, raters: [], between: [], alpha: null, automatic: [], automaticDecided: [] },
  });
});

test.each<[Choice, Choice[]]>([
  ["tie", []],
  ["left", ["left"]],
  ["tie", ["left", "right"]],
  ["right", ["left", "right", "right"]],
  ["tie", ["tie", "left"]],
])("the majority is %s of %j", (choice, given) => {
  expect(majority(given.map((one) => ({ choice: one })))).toBe(choice);
});

test("people's and measured preferences become rows for DPO and KTO; ties do not", () => {
  const [dpo, kto] = preferenceFormats;
  const people = decide(pairs, ratings, "people");
  expect(people.map(({ pair, chosen, by }) => [pair.id, chosen.episode, by])).toEqual([
    ["a", "a-1", "ada, bo"],
    ["b", "b-1", "ada, bo"],
  ]);
  const measured = decide(pairs, ratings, "automatic");
  expect(measured.map(({ chosen, rejected, by }) => [chosen.episode, rejected.episode, by])).toEqual([
    ["a-1", "a-2", "recovered"],
    ["b-1", "b-2", "recovered"],
    ["c-2", "c-1", "recovered"],
  ]);
  expect(dpo?.rows(measured)[2]).toMatchObject({
    prompt: [{ role: "user", content: "Repair it." }],
    chosen: [{ role: "assistant", content: "c-2" }],
    rejected: [{ role: "assistant", content: "c-1" }],
  });
  expect(kto?.rows(measured)).toHaveLength(6);
});

test("KTO has a playbook once, as most of its pairs say, and not at all where they are even", () => {
  const [a, b, c] = pairs;
  const [one] = decide(pairs, [], "automatic");
  if (!a || !b || !c || !one) throw new Error("there are pairs");
  const both = [one, { ...one, pair: b, chosen: one.rejected, rejected: b.right }];
  const rows = preferenceFormats[1]?.rows(both) as {
    label: boolean;
    metadata: { of: { episode: string } };
  }[];
  expect(rows.map(({ label, metadata }) => [metadata.of.episode, label])).toEqual([
    ["a-1", true],
    ["b-2", false],
  ]);
});

test("a line that is no rating is named with its place", () => {
  const line = JSON.stringify(rated("ada", "a", "left"));
  expect(readRatings(`${line}\n\n`, "r.jsonl")).toHaveLength(1);
  expect(() => readRatings(`${line}\nx`, "r.jsonl")).toThrow("r.jsonl, line 2: ");
  const loud = line.replace('"left"', '"loud"');
  expect(() => readRatings(loud, "r.jsonl")).toThrow(/r.jsonl, line 1: choice: /);
});
