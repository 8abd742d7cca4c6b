import type { PlainShell } from "../plain/shell.ts";
import type { Flow } from "./flow.types.ts";
import { type Rounds, skipRounds } from "./skip-rounds.ts";

/** Where a script is: a part of it, how far that part has come, and what it is part of. Never changed. */
export interface Frame {
  readonly flow: Flow;
  readonly at: number;
  /** The values of a `for` loop that runs. */
  readonly values?: readonly string[];
  /** When the present round of a loop began, cluster time, ms. */
  readonly since?: number;
  readonly up: Frame | undefined;
}

/** What of a running script changes, besides its variables. */
export interface FlowState {
  /** Undefined: it has ended. */
  frame: Frame | undefined;
  /** The script's own time, ms: when it goes on. Infinite: never. */
  at: number;
  code: number;
  rounds: Rounds | undefined;
  /** What its trap says for its end. */
  atExit: Flow | undefined;
}

/** After so many commands without a wait one of a round is made: a script is not to hold up the cluster. */
const mostCommandsAtOnce = 1000;

export interface FlowRun {
  readonly state: FlowState;
  readonly shell: PlainShell;
  /** Time that has gone by while a program ran, cluster time; undefined: none does. */
  now(): number | undefined;
  /** A round of a loop takes this long at least, ms: a script is not to hold up the cluster. */
  readonly leastRoundMs: number;
  /** Whether to go on: the cluster may have been put back to an earlier time meanwhile. */
  goesOn(): boolean;
}

/** Runs a script until its own time has passed `until`, or it has ended. */
export async function runFlow(run: FlowRun, until: number): Promise<void> {
  const { state, shell } = run;
  for (let commands = 0; state.frame && state.at <= until && run.goesOn(); ) {
    const { flow } = state.frame;
    if (flow.kind !== "leaf" && flow.kind !== "sleep" && flow.kind !== "for") {
      move(run, state.frame, until);
      if (!state.frame) runTrap(state);
      continue;
    }
    const { frame } = state;
    shell.code = state.code;
    if (flow.kind === "leaf") await flow.run(shell);
    const value =
      flow.kind === "sleep"
        ? await flow.ms(shell)
        : flow.kind === "for" && frame.at === 0
          ? await flow.values(shell)
          : [];
    if (!run.goesOn()) return;
    state.at = Math.max(state.at, run.now() ?? state.at);
    if (typeof value === "number") {
      state.at += value;
      if (value > 0) commands = 0;
      done(state, frame, 0);
    } else if (flow.kind === "for")
      nextValue(state, frame, flow, frame.at === 0 ? value : frame.values, shell);
    else afterLeaf(state, frame, shell);
    if (!state.frame) runTrap(state);
    commands += 1;
    if (commands % mostCommandsAtOnce === 0) state.at += run.leastRoundMs;
  }
}

/** The script has ended: its trap runs, and the exit code stays what it was unless the trap says another. */
function runTrap(state: FlowState): void {
  const { atExit, code } = state;
  if (!atExit) return;
  state.atExit = undefined;
  const keep: Flow = {
    kind: "leaf",
    endsOnFailure: false,
    run: async (shell) => {
      shell.code = code;
    },
  };
  state.frame = { flow: { kind: "list", parts: [atExit, keep] }, at: 0, up: undefined };
}

/** A part has ended. */
function done(state: FlowState, frame: Frame, code: number): void {
  state.code = code;
  state.frame = frame.up;
}

/** Starts a part of `frame`, which goes on at `next` when that has ended. */
function start(state: FlowState, frame: Frame, next: Partial<Frame>, flow: Flow): void {
  state.frame = { flow, at: 0, up: { ...frame, ...next } };
}

function afterLeaf(state: FlowState, frame: Frame, shell: PlainShell): void {
  const { leaving, code } = shell;
  shell.leaving = undefined;
  state.code = code;
  if (leaving === "exit") state.frame = undefined;
  else if (leaving === "break" || leaving === "continue") leaveLoop(state, frame, leaving);
  else if (frame.flow.kind === "leaf" && frame.flow.endsOnFailure && code !== 0) state.frame = undefined;
  else state.frame = frame.up;
}

function leaveLoop(state: FlowState, from: Frame, leaving: "break" | "continue"): void {
  let frame: Frame | undefined = from;
  while (frame && frame.flow.kind !== "while" && frame.flow.kind !== "for") frame = frame.up;
  state.frame = leaving === "break" ? frame?.up : frame;
}

function nextValue(
  state: FlowState,
  frame: Frame,
  flow: Extract<Flow, { kind: "for" }>,
  values: readonly string[] = [],
  shell: PlainShell,
): void {
  const value = values[frame.at];
  if (value === undefined) done(state, frame, frame.at === 0 ? 0 : state.code);
  else {
    shell.variables.set(flow.variable, value);
    start(state, frame, { at: frame.at + 1, values }, flow.body);
  }
}

/** One step of a part that only says what comes next. */
function move(run: FlowRun, frame: Frame, until: number): void {
  const { state } = run;
  const { flow, at } = frame;
  if (flow.kind === "stays") state.at = Number.POSITIVE_INFINITY;
  else if (flow.kind === "at-exit") {
    state.atExit = flow.flow;
    done(state, frame, 0);
  } else if (flow.kind === "chain") moveChain(state, frame, flow);
  else if (flow.kind === "if") moveIf(state, frame, flow);
  else if (flow.kind === "while") moveLoop(run, frame, flow, until);
  else if (flow.kind === "list") {
    const part = flow.parts[at];
    if (part) start(state, frame, { at: at + 1 }, part);
    else state.frame = frame.up;
  }
}

/** Even steps start a part, odd ones follow it. */
function moveChain(state: FlowState, frame: Frame, { parts }: Extract<Flow, { kind: "chain" }>): void {
  const part = parts[Math.floor(frame.at / 2)];
  if (!part) {
    state.frame = frame.up;
    return;
  }
  if (frame.at % 2 === 1) {
    if (part.negated) state.code = state.code === 0 ? 1 : 0;
    state.frame = { ...frame, at: frame.at + 1 };
    return;
  }
  const { operator } = part;
  const isSkipped = (operator === "&&" && state.code !== 0) || (operator === "||" && state.code === 0);
  if (isSkipped) state.frame = { ...frame, at: frame.at + 2 };
  else start(state, frame, { at: frame.at + 1 }, part.flow);
}

/** Even steps ask for a condition, odd ones follow it. */
function moveIf(state: FlowState, frame: Frame, { clauses, otherwise }: Extract<Flow, { kind: "if" }>): void {
  const clause = clauses[Math.floor(frame.at / 2)];
  if (!clause) {
    state.code = 0;
    state.frame = otherwise ? { flow: otherwise, at: 0, up: frame.up } : frame.up;
  } else if (frame.at % 2 === 0) start(state, frame, { at: frame.at + 1 }, clause.condition);
  else if (state.code === 0) state.frame = { flow: clause.body, at: 0, up: frame.up };
  else state.frame = { ...frame, at: frame.at + 1 };
}

/** 0: a round begins; 1: its condition is known; 2: its body has run. */
function moveLoop(
  { state, shell, leastRoundMs }: FlowRun,
  frame: Frame,
  flow: Extract<Flow, { kind: "while" }>,
  until: number,
): void {
  const { since = state.at } = frame;
  if (frame.at === 0) {
    const early = frame.since === undefined ? 0 : since + leastRoundMs - state.at;
    if (early > 0) {
      // The time is to come to this place before the round begins.
      state.at += early;
      return;
    }
    if (flow.always && flow.even) skipRounds(state, shell.variables, until);
    start(state, frame, { at: 1, since: state.at }, flow.condition);
  } else if ((state.code === 0) === flow.until) done(state, frame, 0);
  else start(state, frame, { at: 0, since }, flow.body);
}
