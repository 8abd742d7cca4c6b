import { paragraph, plainTable } from "@microremed/scoring";
import type { JudgedRun } from "./judged-run.ts";
import type { AuditRun } from "./plan-audit.ts";
import type { AuditOutcome } from "./run-audit.ts";
import {
  type AuditTotals,
  type ErrorRate,
  expectedOf,
  isWrong,
  judges,
  tallyClasses,
  tallyRows,
  tallyTotals,
} from "./tally.ts";

/** What an audit was about and how long it took. */
export interface AuditHeading {
  readonly environments: readonly string[];
  /** Of each failure in each environment. */
  readonly runs: number;
  readonly seed: number;
  /** Wall clock, s, without starting the range. */
  readonly seconds: number;
}

/** The audit as one JSON document. */
export function auditDocument(heading: AuditHeading, { judged, unjudged }: AuditOutcome): object {
  return {
    ...heading,
    judged: judged.length,
    ...tallyTotals(judged),
    environmentTotals: totalsByEnvironment(judged),
    classes: tallyClasses(judged),
    rows: tallyRows(judged),
    unjudged: unjudged.map(({ run, why }) => ({ ...named(run), why })),
    wrong: disputed(judged).map((one) => ({
      ...named(one.run),
      expected: one.run.remedy.expected,
      ...{ strict: one.strict, clean: one.clean, reason: one.reason },
    })),
  };
}

const named = ({ environment, failure, target, seed, concealment, persistence, remedy }: AuditRun) => ({
  ...{ environment, failure, target, seed, concealment, persistence },
  ...{ remedy: remedy.name, class: remedy.class },
});

/** Runs that our two judges got wrong; the published rules are compared with, not judged. */
const disputed = (judged: readonly JudgedRun[]): JudgedRun[] =>
  judged.filter((one) => isWrong(one, "strict") || isWrong(one, "clean"));

function totalsByEnvironment(judged: readonly JudgedRun[]): Record<string, AuditTotals> {
  const groups = Map.groupBy(judged, ({ run }) => run.environment);
  return Object.fromEntries([...groups].map(([name, some]) => [name, tallyTotals(some)]));
}

/**
 * The result for a terminal of `width` characters: errors by class, every run that was judged wrongly, and the rates with
 * 95 % intervals.
 */
export function auditTable(
  heading: AuditHeading,
  outcome: AuditOutcome,
  width = Number.POSITIVE_INFINITY,
): string {
  const { judged, unjudged } = outcome;
  const { falsePositives, falseNegatives } = tallyTotals(judged);
  return [
    plainTable(
      [
        ["class", "remedies", ...judges.flatMap((judge) => [`${judge}: wrong passes`, "missed"])],
        ...tallyClasses(judged).map((row) => [
          row.class,
          String(row.remedies),
          ...judges.flatMap((judge) => [
            inCounts(row.falsePositives[judge]),
            inCounts(row.falseNegatives[judge]),
          ]),
        ]),
      ],
      width,
    ),
    ...wrongRuns(judged).map((line) => paragraph(line, width)),
    "",
    plainTable(
      [
        ["judge", "false positives", "false negatives"],
        ...judges.map((judge) => [judge, inWords(falsePositives[judge]), inWords(falseNegatives[judge])]),
      ],
      width,
    ),
    "",
    `${judged.length} runs with a verdict, ${unjudged.length} without, in ${Math.round(heading.seconds)} s`,
  ].join("\n");
}

const mostShown = 100;
const mostOfAReason = 200;

function wrongRuns(judged: readonly JudgedRun[]): string[] {
  const wrong = disputed(judged);
  if (wrong.length === 0) return [];
  const lines = wrong.slice(0, mostShown).map((one) => {
    const { environment, failure, target, seed, concealment, persistence, remedy } = one.run;
    const said = (["strict", "clean"] as const)
      .filter((judge) => isWrong(one, judge))
      .map((judge) => `${judge} says ${one[judge]}, expected ${expectedOf(one, judge)}`);
    return `${remedy.class}/${remedy.name}, ${failure} on ${environment}/${target} (${concealment}, ${persistence}, seed ${seed}): ${said.join("; ")}: ${one.reason.slice(0, mostOfAReason)}`;
  });
  const more = wrong.length > mostShown ? [`... and ${wrong.length - mostShown} more`] : [];
  return ["", `wrong in ${wrong.length} runs:`, ...lines, ...more];
}

const inCounts = ({ wrong, of }: ErrorRate): string => (of === 0 ? "-" : `${wrong}/${of}`);

function inWords({ wrong, of, rate, low, high }: ErrorRate): string {
  if (rate === null || low === null || high === null) return "no runs";
  const percent = (share: number): string => `${(100 * share).toFixed(1)}`;
  return `${wrong}/${of}, ${percent(rate)} % [${percent(low)}, ${percent(high)}]`;
}
