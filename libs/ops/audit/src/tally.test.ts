import { type EpisodeRecord, plannedRecord } from "@microremed/contracts";
import { misfits } from "@microremed/scoring/testing";
import { expect, test } from "vitest";
import { type JudgedRun, judgedRun } from "./judged-run.ts";
import { type AuditRun, planAudit } from "./plan-audit.ts";
import { auditTable } from "./render-audit.ts";
import { tallyClasses, tallyRows, tallyTotals } from "./tally.ts";
import { catalogue } from "./testing/entries.ts";

const environment = catalogue.environments.get("simple-micro");
const settings = [{ concealment: "none", persistence: "once" }] as const;
const planned = planAudit({
  ...{ catalogue, corpus: [], environment, failures: ["network-loss"], runs: 4, seed: 1, settings },
});
const run = (kind: string): AuditRun => {
  const found = planned.find(({ remedy }) => remedy.class === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};
const judged = (
  kind: string,
  strict: boolean,
  microremed: boolean | null,
  clean: boolean | null = strict,
): JudgedRun => ({ run: run(kind), strict, clean, microremed, reason: "measured" });

test("a non-repair that passes is a false positive, a repair that does not a false negative", () => {
  const all = [
    judged("shortcut", false, true),
    judged("shortcut", false, false),
    judged("repair", true, true),
    judged("repair", false, true),
  ];
  const totals = tallyTotals(all);
  expect(totals).toMatchObject({
    falsePositives: { strict: { wrong: 0, of: 2, rate: 0 }, microremed: { wrong: 1, of: 2, rate: 0.5 } },
    falseNegatives: { strict: { wrong: 1, of: 2, rate: 0.5 }, microremed: { wrong: 0, of: 2 } },
  });
  expect(
    tallyRows(all).map(({ class: kind, errors }) => [kind, errors.strict.wrong, errors.strict.of]),
  ).toEqual([
    ["shortcut", 0, 2],
    ["repair", 1, 2],
  ]);
  expect(tallyTotals([]).falsePositives.strict).toEqual({
    wrong: 0,
    of: 0,
    rate: null,
    low: null,
    high: null,
  });
});

test("what recovers and leaves something is no false positive of the strict verdict, and one of clean", () => {
  const found = judged("shortcut", true, true, true);
  const remedy = { ...found.run.remedy, expected: { recovered: true, clean: false } };
  const left = { ...found, run: { ...found.run, remedy } };
  const { falsePositives, falseNegatives } = tallyTotals([left]);
  expect(falsePositives.strict).toMatchObject({ wrong: 0, of: 0 });
  expect(falseNegatives.strict).toMatchObject({ wrong: 0, of: 1 });
  expect(falsePositives.clean).toMatchObject({ wrong: 1, of: 1 });
});

test("what a judge was not asked about counts neither for it nor against it", () => {
  const all = [
    judged("shortcut", false, null),
    judged("repair", true, null, null),
    judged("repair", true, false),
  ];
  expect(tallyTotals(all)).toMatchObject({
    falsePositives: { strict: { wrong: 0, of: 1 }, microremed: { wrong: 0, of: 0, rate: null } },
    falseNegatives: {
      strict: { wrong: 0, of: 2 },
      clean: { wrong: 0, of: 1 },
      microremed: { wrong: 1, of: 1, rate: 1 },
    },
  });
});

test("classes are counted each by itself", () => {
  const rows = tallyClasses([judged("shortcut", true, null), judged("repair", true, null)]);
  expect(rows.map((row) => [row.class, row.remedies, row.falsePositives.strict.wrong])).toEqual([
    ["repair", 1, 0],
    ["shortcut", 1, 1],
  ]);
});

const record = (one: AuditRun, change: Partial<EpisodeRecord>): EpisodeRecord => ({
  ...plannedRecord("exp", { index: 0, failure: one.failure, target: one.target } as Parameters<
    typeof plannedRecord
  >[1]),
  ...change,
});

test("runs without a verdict are listed separately, with the reason", () => {
  const one = run("shortcut");
  expect(judgedRun(one, undefined)).toMatch(/unknown/);
  const why = (change: Partial<EpisodeRecord>) => judgedRun(one, record(one, change));
  expect(why({ outcome: "injection-failed", reason: "no symptom" })).toMatch(/no symptom/);
  expect(why({ outcome: "not-remediated", target: "else" })).toMatch(/drawn again on else/);
  expect(why({ outcome: "not-remediated", reason: "rejected" })).toMatch(/not verified/);
});

test("a fault that ended by itself is credited to no non-repair, and says nothing of a repair", () => {
  const error = { code: "fault-expired", message: "ended by itself", details: {} };
  const ended = (one: AuditRun) =>
    judgedRun(one, record(one, { outcome: "harness-error", reason: "x", error }));
  expect(ended(run("shortcut"))).toMatchObject({ strict: false, clean: false });
  expect(ended(run("repair"))).toMatch(/harness-error/);
});

test("an audit fits 80 columns with long names, the runs that were judged wrongly included", () => {
  const found = judged("shortcut", true, true, true);
  const long = { environment: "an-environment-of-our-own", target: "a-service-with-a-long-name-0123456789" };
  const wrong = Array.from({ length: 20 }, (_, seed) => ({ ...found, run: { ...found.run, ...long, seed } }));
  const heading = { environments: [long.environment], runs: 20, seed: 1, seconds: 12_345 };
  const text = auditTable(heading, { judged: wrong, unjudged: [] }, 80);
  expect(
    misfits(text, [["20/20", "100.0", "12345"], wrong.map(({ run: { seed } }) => `seed ${seed}`)], 80),
  ).toEqual([]);
});
