import { type EpisodeRecord, plannedRecord } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { type AuditRun, planAudit } from "./plan-audit.ts";
import { type JudgedRun, judgedRun, tallyRows, tallyTotals } from "./tally.ts";

const catalogue = await builtInCatalogue();
const runs = planAudit(catalogue, catalogue.environments.get("simple-micro"), ["network-loss"], 4, 1);
const run = (kind: string): AuditRun => {
  const found = runs.find(({ remedy }) => remedy.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};
const judged = (kind: string, strict: boolean, microremed: boolean | null): JudgedRun => ({
  run: run(kind),
  strict,
  microremed,
});

test("a shortcut that passes is a false positive, a repair that does not a false negative", () => {
  const all = [
    judged("shortcut", false, true),
    judged("shortcut", false, false),
    judged("repair", true, true),
    judged("repair", false, true),
  ];
  expect(tallyTotals(all)).toMatchObject({
    falsePositives: { strict: { wrong: 0, of: 2, rate: 0 }, microremed: { wrong: 1, of: 2, rate: 0.5 } },
    falseNegatives: { strict: { wrong: 1, of: 2, rate: 0.5 }, microremed: { wrong: 0, of: 2 } },
  });
  expect(tallyRows(all).map(({ kind, strict }) => [kind, strict.wrong, strict.of])).toEqual([
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

test("what a judge was not asked about counts neither for it nor against it", () => {
  const all = [judged("shortcut", false, null), judged("repair", true, null), judged("repair", true, false)];
  expect(tallyTotals(all)).toMatchObject({
    falsePositives: { strict: { wrong: 0, of: 1 }, microremed: { wrong: 0, of: 0, rate: null } },
    falseNegatives: { strict: { wrong: 0, of: 2 }, microremed: { wrong: 1, of: 1, rate: 1 } },
  });
});

test("runs without a verdict are listed separately, with the reason", () => {
  const one = run("shortcut");
  const planned = { index: 0, failure: one.failure, target: one.target };
  const record = (change: Partial<EpisodeRecord>): EpisodeRecord => ({
    ...plannedRecord("exp", planned as Parameters<typeof plannedRecord>[1]),
    ...change,
  });
  expect(judgedRun(one, undefined)).toMatch(/unknown/);
  expect(judgedRun(one, record({ outcome: "injection-failed", reason: "no symptom" }))).toMatch(/no symptom/);
  expect(judgedRun(one, record({ outcome: "not-remediated", target: "else" }))).toMatch(
    /drawn again on else/,
  );
  expect(judgedRun(one, record({ outcome: "not-remediated", reason: "rejected" }))).toMatch(/not verified/);
});
