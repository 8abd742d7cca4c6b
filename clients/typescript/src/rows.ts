/** One problem of one session, as the agent's side knows it. */
export interface Row {
  readonly session: string;
  readonly experiment: string;
  readonly agent: string;
  readonly problem: string;
  /** Of a cycle, its tasks in order, with + between them. */
  task: string;
  attempts: number;
  /** Null: the problem is not over, or the session withholds it. */
  outcome: string | null;
  calls: number;
  /** Calls that were not run: wrong arguments, a limit, an unknown tool. */
  refused: number;
  promptTokens: number;
  completionTokens: number;
  /** US dollars, as the agent said; null: it did not. */
  cost: number | null;
  /** What ended the agent's work on the problem before it had submitted. */
  error: string | null;
}

/** How many problems were passed, with a 95 % interval (Wilson 1927). Null: none has an outcome that counts. */
export interface Score {
  readonly problems: number;
  readonly passed: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Harness errors, cancelled, withheld. */
  readonly notCounted: number;
}

/** Whether an outcome is a pass; null: it says nothing of the agent. */
function passedOf(outcome: string | null): boolean | null {
  if (outcome === "remediated" || outcome === "solved") return true;
  return outcome === "not-remediated" || outcome === "not-solved" ? false : null;
}

/** The share of rows that were passed; takes the episodes of a report too. */
export function scoreOf(rows: readonly { readonly outcome: string | null }[]): Score {
  const known = rows.map(({ outcome }) => passedOf(outcome)).filter((passed) => passed !== null);
  const [n, passed] = [known.length, known.filter(Boolean).length];
  const notCounted = rows.length - n;
  if (n === 0) return { problems: 0, passed: 0, rate: null, low: null, high: null, notCounted };
  const [z, rate] = [1.959964, passed / n];
  const middle = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return {
    problems: n,
    passed,
    rate,
    low: Math.max(0, middle - half),
    high: Math.min(1, middle + half),
    notCounted,
  };
}
