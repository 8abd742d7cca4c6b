/** Counts the steps of a script's awk, sed and jq programs, and ends what takes too many. */
export interface StepBound {
  /** One step, by its feature such as `awk:stmt:if`. Throws from the first step too many on. */
  hit(feature: string): void;
  /** Whether it has thrown. */
  readonly exceeded: boolean;
}

/** Steps that one script's programs may take together: about a second of CPU. */
const mostSteps = 500_000;

/** What is said of a script that took more. */
export const tooManySteps = `the script was ended: its awk, sed and jq took more than ${mostSteps} steps`;

/** Steps that one counts for. A command of sed takes some 20 times the CPU of a statement or an expression of awk. */
const weights: Readonly<Record<string, number>> = { awk: 1, jq: 1, sed: 20 };

/**
 * Bounds what the text tools of one shell script do together. just-bash bounds each of their loops by itself, so that loops in
 * loops, functions that call themselves, and a loop for each of many lines have no bound. It reports each step to its `coverage`.
 */
export function stepBound(most = mostSteps): StepBound {
  let steps = 0;
  return {
    hit: (feature) => {
      steps += weights[feature.slice(0, feature.indexOf(":"))] ?? 0;
      if (steps > most) throw new Error(`more than ${most} steps of awk, sed and jq in one script`);
    },
    get exceeded() {
      return steps > most;
    },
  };
}
