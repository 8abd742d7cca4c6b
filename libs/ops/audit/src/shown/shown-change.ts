/** One line of a change log, as an agent is shown it. */
export interface ShownChange {
  /** How long ago it was when the agent was asked, s. */
  readonly age: number;
  /** `deployment/cart` */
  readonly object: string;
  /** rollout, scale, config, created */
  readonly kind: string;
  /** Whether a value took the place of another one. */
  readonly isReplaced: boolean;
}

/** What agents are shown of one problem's changes. */
export interface ShownProblem {
  readonly environment: string;
  readonly isFaulty: boolean;
  /** What the incident has changed, as the log names it. */
  readonly wrong: readonly string[];
  /** The latest first. */
  readonly changes: readonly ShownChange[];
  /** Characters of the answer. */
  readonly size: number;
}

const line = /^(\d\d):(\d\d):(\d\d) (\S+) \((\w+)\): (.*)$/gm;
const daySeconds = 86_400;

/** The lines of an answer of `diff_since`. `now`: cluster time, ms. */
export function shownChanges(answer: string, now: number): ShownChange[] {
  const seconds = Math.floor(now / 1000) % daySeconds;
  return [...answer.matchAll(line)].map(([, h, m, s, object = "", kind = "", what = ""]) => ({
    age: (seconds - (Number(h) * 3600 + Number(m) * 60 + Number(s)) + daySeconds) % daySeconds,
    object,
    kind,
    isReplaced: what.split("; ").some((part) => /: (?!absent ->).* -> (?!absent$)| is now /.test(part)),
  }));
}
