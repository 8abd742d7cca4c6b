/** What the rounds of a loop have come to so far. */
export interface Rounds {
  /** When the last one began, cluster time, ms. */
  readonly at: number;
  readonly variables: ReadonlyMap<string, string>;
  /** What it took, and what it added to each variable; undefined: it was the first. */
  readonly step: Step | undefined;
}

interface Step {
  readonly ms: number;
  readonly added: ReadonlyMap<string, number>;
}

/** So many rounds are run at least, at the end: a container keeps fewer lines of its log than they print. */
const leastRounds = 400;
const whole = /^(0|-?[1-9]\d{0,8})$/;

/**
 * At the begin of a round of a loop that does the same each time: when two rounds have taken the same time and have added
 * the same to each variable, all rounds will, and those of which no line would be kept are not run.
 */
export function skipRounds(
  state: { at: number; rounds: Rounds | undefined },
  variables: Map<string, string>,
  until: number,
): void {
  const before = state.rounds;
  const step = before && stepBetween(before, state.at, variables);
  if (step && before.step && isSame(step, before.step)) {
    const rounds = Math.floor((until - state.at) / step.ms) - leastRounds;
    if (rounds > 0) {
      state.at += rounds * step.ms;
      for (const [name, added] of step.added)
        if (added !== 0) variables.set(name, String(Number(variables.get(name)) + rounds * added));
    }
  }
  state.rounds = { at: state.at, variables: new Map(variables), step };
}

function stepBetween(before: Rounds, at: number, variables: ReadonlyMap<string, string>): Step | undefined {
  const added = new Map<string, number>();
  if (variables.size !== before.variables.size || at <= before.at) return undefined;
  for (const [name, value] of variables) {
    const old = before.variables.get(name);
    if (old === value) added.set(name, 0);
    else if (old !== undefined && whole.test(old) && whole.test(value))
      added.set(name, Number(value) - Number(old));
    else return undefined;
  }
  return { ms: at - before.at, added };
}

const isSame = (one: Step, other: Step): boolean =>
  one.ms === other.ms && [...one.added].every(([name, added]) => other.added.get(name) === added);
