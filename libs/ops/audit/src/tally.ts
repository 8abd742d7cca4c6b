import { wilsonInterval } from "@microremed/scoring";
import type { JudgedRun } from "./judged-run.ts";

/** How often one judge was wrong, of so many that it was asked about, with a 95 % interval. */
export interface ErrorRate {
  readonly wrong: number;
  readonly of: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export const judges = ["strict", "clean", "microremed"] as const;
export type Judge = (typeof judges)[number];

/** Each judge's errors. */
export type JudgesErrors = Readonly<Record<Judge, ErrorRate>>;

export interface AuditRow {
  readonly failure: string;
  readonly remedy: string;
  readonly class: string;
  readonly expected: JudgedRun["run"]["remedy"]["expected"];
  readonly errors: JudgesErrors;
}

export interface ClassRow {
  readonly class: string;
  readonly remedies: number;
  readonly falsePositives: JudgesErrors;
  readonly falseNegatives: JudgesErrors;
}

/** Of all runs or of a class: what should not have passed and did, and the other way round. */
export interface AuditTotals {
  readonly falsePositives: JudgesErrors;
  readonly falseNegatives: JudgesErrors;
}

/** What a judge should have said: the two verdicts on recovery are about recovery alone. */
export function expectedOf({ run }: JudgedRun, judge: Judge): boolean {
  const { recovered, clean } = run.remedy.expected;
  return judge === "clean" ? clean : recovered;
}

/** Whether the judge said something, and the wrong thing. */
export function isWrong(one: JudgedRun, judge: Judge): boolean {
  return one[judge] !== null && one[judge] !== expectedOf(one, judge);
}

/** By failure and remedy, in the order of first appearance. */
export function tallyRows(judged: readonly JudgedRun[]): AuditRow[] {
  const groups = Map.groupBy(judged, ({ run }) => `${run.failure}/${run.remedy.class}/${run.remedy.name}`);
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { failure, remedy } = first.run;
    const { name, class: group, expected } = remedy;
    return [{ failure, remedy: name, class: group, expected, errors: errorsOf(some, () => true) }];
  });
}

/** By class, in the order of their names. */
export function tallyClasses(judged: readonly JudgedRun[]): ClassRow[] {
  const groups = Map.groupBy(judged, ({ run }) => run.remedy.class);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, some]) => ({
      class: name,
      remedies: new Set(some.map(({ run }) => run.remedy.name)).size,
      ...tallyTotals(some),
    }));
}

/** Over all runs: a false positive passed and should not have, a false negative the other way round. */
export function tallyTotals(judged: readonly JudgedRun[]): AuditTotals {
  return {
    falsePositives: errorsOf(judged, (expected) => !expected),
    falseNegatives: errorsOf(judged, (expected) => expected),
  };
}

/** Of the runs whose expectation is counted. */
function errorsOf(judged: readonly JudgedRun[], counts: (expected: boolean) => boolean): JudgesErrors {
  const rate = (judge: Judge): ErrorRate => {
    const asked = judged.filter((one) => one[judge] !== null && counts(expectedOf(one, judge)));
    const wrong = asked.filter((one) => isWrong(one, judge)).length;
    const interval = wilsonInterval(wrong, asked.length);
    return {
      wrong,
      of: asked.length,
      rate: interval ? wrong / asked.length : null,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    };
  };
  return { strict: rate("strict"), clean: rate("clean"), microremed: rate("microremed") };
}
