import type { EpisodeRow } from "./episode-row.ts";

/** One run of a case, and what came of it. */
export interface Run extends Pick<EpisodeRow, "caseId" | "model" | "method"> {
  readonly passed: boolean;
}

/** For one number of runs; null: no case has as many. */
export interface PassOfK {
  readonly k: number;
  readonly value: number | null;
}

/**
 * pass^k (Yao et al. 2024, tau-bench): the mean over the cases of C(successes, k) / C(runs, k), the unbiased estimate of
 * the chance that k runs of a case all succeed. For k up to the most runs that a case has; a case with fewer than k
 * counts for none of them.
 */
export function passHatK(judged: readonly Run[]): PassOfK[] {
  return meanOverCases(judged, ({ successes, runs }, k) => shareOfSubsets(successes, runs, k));
}

/**
 * pass@k (Chen et al. 2021): 1 - C(failures, k) / C(runs, k), the unbiased estimate of the chance that at least one of k
 * runs of a case succeeds; over cases and k as pass^k.
 */
export function passAtK(judged: readonly Run[]): PassOfK[] {
  return meanOverCases(judged, ({ successes, runs }, k) => 1 - shareOfSubsets(runs - successes, runs, k));
}

type Counts = { readonly runs: number; readonly successes: number };

function meanOverCases(judged: readonly Run[], chanceOf: (counts: Counts, k: number) => number): PassOfK[] {
  const cases = [
    ...Map.groupBy(judged, ({ caseId, model, method }) => JSON.stringify([caseId, model, method])).values(),
  ];
  const counts = cases.map((runs) => ({
    runs: runs.length,
    successes: runs.filter(({ passed }) => passed).length,
  }));
  const most = Math.max(0, ...counts.map(({ runs }) => runs));
  return Array.from({ length: most }, (_, i) => i + 1).map((k) => {
    const enough = counts.filter(({ runs }) => runs >= k);
    const sum = enough.reduce((total, counts) => total + chanceOf(counts, k), 0);
    return { k, value: enough.length === 0 ? null : sum / enough.length };
  });
}

/** C(successes, k) / C(runs, k), factor by factor so that nothing overflows. */
function shareOfSubsets(successes: number, runs: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, successes - i) / (runs - i);
  return share;
}
