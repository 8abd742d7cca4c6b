import type { EvidenceCall } from "@microremed/catalogue";
import { askAgain, keyOf } from "./policy.ts";
import { shareListings } from "./shared-listings.ts";

/** Calls that do not depend on one another, made as one call. */
export interface JoinedCalls {
  readonly call: EvidenceCall;
  /** Of the calls in it, by `keyOf`. */
  readonly keys: readonly string[];
  /** What each would have been answered. Missing: it was left out, for the answer or its time was too long. */
  answersIn(answer: string): ReadonlyMap<string, string>;
}

/** Commands of one call, which share its time and its answer; of those that were left out of one, and of two. */
const mostCommands = [12, 4, 1];
/** Characters of one call. */
const longest = 12_000;
/** What runs programs in pods may take all the time of a call. */
const isLong = (command: string): boolean => /\bkubectl exec\b/.test(command);
/** What a tool puts in the place of what it leaves out. */
const cut = /^\.\.\. \[.* left out\] \.\.\.$/m;

/**
 * The next call: shell commands together, since each call takes a sandbox and a turn, and a pause when nothing else is left to ask.
 * `leftOut`: how often an answer was too long for a command, which then is joined with fewer. Undefined: there are no calls.
 */
export function joinCalls(
  calls: readonly EvidenceCall[],
  leftOut: ReadonlyMap<string, number>,
): JoinedCalls | undefined {
  const [first] = calls.toSorted((a, b) => Number(isPause(a)) - Number(isPause(b)));
  if (first === undefined) return undefined;
  const timesOf = (call: EvidenceCall): number => leftOut.get(keyOf(call)) ?? 0;
  const all = calls.filter(canJoin);
  const times = Math.min(...all.map(timesOf));
  const some = all.filter((call) => timesOf(call) === times).slice(0, mostCommands[times] ?? 1);
  while (joined(some).length > longest) some.pop();
  if (some.length > 1) return together(some);
  const key = keyOf(first);
  return { call: first, keys: [key], answersIn: (answer) => new Map([[key, answer]]) };
}

function together(calls: readonly EvidenceCall[]): JoinedCalls {
  const partOf = (answer: string, index: number): string | undefined => {
    const part = new RegExp(`^${begin(index)}\n([\\s\\S]*?)^${end(index)} (\\d+)$`, "m").exec(answer);
    const [, printed = "", code = ""] = part ?? [];
    return !part || cut.test(printed)
      ? undefined
      : `exit code ${code}\n${printed.trimEnd() || "(no output)"}`;
  };
  return {
    call: { tool: "exec_shell", arguments: { command: joined(calls) } },
    keys: calls.map(keyOf),
    answersIn: (answer) =>
      new Map(
        calls.flatMap((call, index) => {
          const part = partOf(answer, index);
          return part === undefined ? [] : [[keyOf(call), part]];
        }),
      ),
  };
}

const isPause = ({ tool }: EvidenceCall): boolean => tool === askAgain.tool;
const commandOf = ({ arguments: { command } }: EvidenceCall): string => String(command);
const canJoin = (call: EvidenceCall): boolean => call.tool === "exec_shell" && !isLong(commandOf(call));

const begin = (index: number): string => `--- ${index + 1}`;
const end = (index: number): string => `--- end of ${index + 1}:`;

/** Each in a shell of its own: one may end early, and none sees the variables of another one. */
function joined(calls: readonly EvidenceCall[]): string {
  const { before, commands } = shareListings(calls.map(commandOf));
  const parts = commands.map(
    (command, index) => `echo '${begin(index)}'\n(\n${command}\n)\necho "${end(index)} $?"`,
  );
  return [...before, ...parts].join("\n");
}
