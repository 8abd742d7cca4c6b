import { endSteps } from "@microremed/contracts";
import { plainTable } from "@microremed/scoring";
import type { AuditOutcome } from "./run-audit.ts";
import { type ErrorRate, tallyRows, tallyTotals } from "./tally.ts";

export interface AuditHeading {
  readonly environment: string;
  readonly runs: number;
  readonly seed: number;
  /** Wall clock, s, without starting the range. */
  readonly seconds: number;
}

/** The audit as one JSON document. */
export function auditDocument(heading: AuditHeading, { judged, unjudged, disputed }: AuditOutcome): object {
  return {
    ...heading,
    judged: judged.length,
    ...tallyTotals(judged),
    rows: tallyRows(judged),
    unjudged: unjudged.map(({ run, why }) => ({ ...named(run), why })),
    disputed: disputed.map(({ id, failure, target, steps }) => ({
      id,
      failure,
      target,
      verdict: endSteps(steps).at(-1)?.verdict,
    })),
  };
}

const named = ({ failure, target, seed, remedy }: AuditOutcome["judged"][number]["run"]) => ({
  failure,
  target,
  seed,
  remedy: remedy.name,
});

/**
 * The result as plain text: wrong verdicts for each remedy, then the rates over all, each with its 95 % interval.
 */
export function auditTable(heading: AuditHeading, outcome: AuditOutcome): string {
  const rows = tallyRows(outcome.judged).map(({ failure, kind, remedy, strict, microremed }) => [
    failure,
    kind,
    remedy,
    inCounts(strict),
    inCounts(microremed),
  ]);
  const { falsePositives, falseNegatives } = tallyTotals(outcome.judged);
  return [
    plainTable([["failure", "kind", "remedy", "strict wrong", "microremed wrong"], ...rows]),
    "",
    plainTable([
      ["judge", "false positives", "false negatives"],
      ["strict", inWords(falsePositives.strict), inWords(falseNegatives.strict)],
      ["microremed", inWords(falsePositives.microremed), inWords(falseNegatives.microremed)],
    ]),
    "",
    `${outcome.judged.length} runs with a verdict, ${outcome.unjudged.length} without, in ${Math.round(heading.seconds)} s`,
  ].join("\n");
}

const inCounts = ({ wrong, of }: ErrorRate): string => (of === 0 ? "-" : `${wrong}/${of}`);

function inWords({ wrong, of, rate, low, high }: ErrorRate): string {
  if (rate === null || low === null || high === null) return "no runs";
  const percent = (share: number): string => `${(100 * share).toFixed(1)}`;
  return `${wrong}/${of}, ${percent(rate)} % [${percent(low)}, ${percent(high)}]`;
}
