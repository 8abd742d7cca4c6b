import type { EvidenceCall } from "./evidence.ts";

const shell = (command: string): EvidenceCall => ({ tool: "exec_shell", arguments: { command } });

/** A call of `exec_shell`. Its answer has at most 8000 characters: print what is needed, a line for each object. */
export const shellCall = shell;

/** The same of one that may take all its time: of programs in pods that wait for a network or a volume. */
export const longCall = (command: string): EvidenceCall => ({ ...shell(command), takesLong: true });

const events = `kubectl get events -o jsonpath='{range .items[*]}{.reason} {.involvedObject.kind}/{.involvedObject.name} {.message}{"\\n"}{end}'`;
/** A script that prints `<kind>/<name> <message>` of each event with this reason. One list serves all readers in a call. */
export const eventsWith = (reason: string): string => `${events} | sed -n 's/^${reason} //p'`;

/** Lets time pass in the cluster. A `sleep` in a command passes on the machine's clock, while an arena waits. */
export const pauseOf = (seconds: number): EvidenceCall => ({ tool: "wait", arguments: { seconds } });

/** What the command of a `shellCall` has printed, without the line that says how it ended; nothing: "". */
export function printedBy(answer: string): string {
  const printed = answer.replace(/^exit code (?:\d+|unknown)\n/, "").trim();
  return printed === "(no output)" ? "" : printed;
}

/** Calls that many faults share: each is made once for all of them. */
export const commonCalls = {
  /** What was changed lately, with values before and after for pod templates: `changedFields` reads it. */
  changes: { tool: "diff_since", arguments: { since: "1h" } },
  /** The latest warnings of the namespace. */
  warnings: { tool: "get_events", arguments: { warnings: true } },
  /** Services with their endpoints, the workloads behind them, which calls which. */
  topology: { tool: "get_topology", arguments: {} },
} as const satisfies Readonly<Record<string, EvidenceCall>>;
