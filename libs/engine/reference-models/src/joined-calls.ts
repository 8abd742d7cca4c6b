import { type EvidenceCall, isPause } from "@microremed/catalogue";
import { keyOf } from "./policy.ts";
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
const mostCommands = [16, 4, 1];
/** Characters of one call. */
const longest = 14_000;
/** What a tool puts in the place of what it leaves out. */
const cut = /^\.\.\. \[.* left out\] \.\.\.$/m;

/**
 * The next call: tools that take no shell, for their answers may lead to more commands; then shell commands together, since each call
 * takes a sandbox and a turn. When nothing else is left to ask, the longest pause, in which the others pass too. `leftOut`: how often
 * an answer was too long for a command, which then is joined with fewer. Undefined: there are no calls.
 */
export function joinCalls(
  calls: readonly EvidenceCall[],
  leftOut: ReadonlyMap<string, number>,
): JoinedCalls | undefined {
  const asked = calls.filter((call) => !isPause(call));
  const first = asked.find(({ tool }) => tool !== "exec_shell") ?? asked[0];
  if (first === undefined) return longestPause(calls);
  if (first.tool !== "exec_shell") return answeredAlike(first, [first]);
  const timesOf = (call: EvidenceCall): number => leftOut.get(keyOf(call)) ?? 0;
  // One that runs a program in a pod may use up the time of those behind it.
  const all = calls.filter(canJoin).toSorted((a, b) => Number(isInPod(a)) - Number(isInPod(b)));
  const times = Math.min(...all.map(timesOf));
  const some = all.filter((call) => timesOf(call) === times).slice(0, mostCommands[times] ?? 1);
  while (joined(some).length > longest) some.pop();
  if (some.length > 1) return together(some);
  return answeredAlike(first, [first]);
}

function longestPause(pauses: readonly EvidenceCall[]): JoinedCalls | undefined {
  const [longest] = pauses.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  return longest && answeredAlike(longest, pauses);
}

/** One call, whose answer is that of them all. */
function answeredAlike(call: EvidenceCall, all: readonly EvidenceCall[]): JoinedCalls {
  const keys = all.map(keyOf);
  return { call, keys, answersIn: (answer) => new Map(keys.map((key) => [key, answer])) };
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

const secondsOf = ({ arguments: { seconds } }: EvidenceCall): number => Number(seconds);
const commandOf = ({ arguments: { command } }: EvidenceCall): string => String(command);
const isInPod = (call: EvidenceCall): boolean => /\bkubectl exec\b/.test(commandOf(call));
const canJoin = ({ tool, takesLong }: EvidenceCall): boolean => tool === "exec_shell" && !takesLong;

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
