import { cohensKappa } from "./kappa.ts";

/** What a judging model said of one answer beside the grade. */
export interface JudgedAnswer {
  readonly model: string;
  /** Null: the judge failed. */
  readonly correct: boolean | null;
  /** Prompt and completion tokens of the judge. */
  readonly tokens: number;
  /** US dollars; null: the judge has no prices. */
  readonly cost: number | null;
}

/** How often a judging model and the grade say the same, and what the judge cost. */
export interface Agreement {
  readonly model: string;
  /** Answers that both have said something of. */
  readonly of: number;
  /** Those for which the judge failed. */
  readonly failed: number;
  readonly bothPassed: number;
  readonly onlyGrade: number;
  readonly onlyJudge: number;
  readonly bothFailed: number;
  /** Share of `of` on which they agree; null: of nothing. */
  readonly agreement: number | null;
  /** Cohen's kappa; null: of nothing, or both always say one and the same. */
  readonly kappa: number | null;
  readonly tokens: number;
  readonly cost: number | null;
}

interface Row {
  readonly passed: boolean;
  readonly judged: JudgedAnswer | null;
}

/** Null: no answer was judged. */
export function agreementOf(rows: readonly Row[]): Agreement | null {
  const pairs = rows.flatMap(({ passed, judged }) => (judged ? [{ passed, judged }] : []));
  if (pairs.length === 0) return null;
  const count = (grade: boolean, judge: boolean): number =>
    pairs.filter(({ passed, judged }) => passed === grade && judged.correct === judge).length;
  const counts = {
    ...{ bothPassed: count(true, true), onlyGrade: count(true, false) },
    ...{ onlyJudge: count(false, true), bothFailed: count(false, false) },
  };
  const failed = pairs.filter(({ judged }) => judged.correct === null).length;
  const of = pairs.length - failed;
  const costs = pairs.map(({ judged }) => judged.cost);
  return {
    model: [...new Set(pairs.map(({ judged }) => judged.model))].join(", "),
    ...{ of, failed, ...counts },
    agreement: of === 0 ? null : (counts.bothPassed + counts.bothFailed) / of,
    kappa: cohensKappa(
      pairs.flatMap(({ passed, judged: { correct } }) =>
        correct === null ? [] : [[String(passed), String(correct)] as const],
      ),
    ),
    tokens: pairs.reduce((sum, { judged }) => sum + judged.tokens, 0),
    cost: costs.some((cost) => cost === null)
      ? null
      : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
  };
}
