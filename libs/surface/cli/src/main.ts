import { AppError, harnessVersion, silentLogger } from "@microremed/core";
import { Command, CommanderError } from "commander";
import type { Context } from "./context.ts";
import { exitCodes } from "./exit-codes.ts";
import { fileTrouble } from "./file-trouble.ts";
import { refuseRepeats } from "./refuse-repeats.ts";
import { createTerminal } from "./terminal.ts";
import { verbs } from "./verbs.ts";

/** How long an interrupted command may take to stop what it has started; guards end what is then left. */
const stopWithinMs = 10_000;

/** How long the process may take to end by itself when its command has ended, ms; nothing is left to do then. */
const endWithinMs = 10_000;

/** Runs the command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  const stop = (): void => {
    // The second of two is ignored: a terminal's Ctrl-C reaches this process both directly and through npm.
    if (interrupt.signal.aborted) return;
    interrupt.abort(new AppError("cancelled", "interrupted"));
    setTimeout(() => process.exit(exitCodes.interrupted.code), stopWithinMs).unref();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, stop);
  const context: Context = {
    terminal: createTerminal(process.stdout, process.stderr, process.env),
    log: silentLogger,
    env: process.env,
    signal: interrupt.signal,
  };
  const line = firstLine(argv);
  if (line !== undefined) context.terminal.say(line);
  try {
    await (await program(context, argv)).parseAsync([...argv], { from: "user" });
  } catch (error) {
    process.exitCode = report(context, error);
  }
  // A range in this process may still compute; its results are of no use now.
  if (interrupt.signal.aborted) process.exit(exitCodes.interrupted.code);
  // What a command forgot to close must not keep its caller waiting.
  setTimeout(() => process.exit(), endWithinMs).unref();
}

/** What is said before the verb is loaded; undefined where it soon says something itself. */
export function firstLine([first, ...rest]: readonly string[]): string | undefined {
  if (rest.some((word) => word === "--help" || word === "-h")) return undefined;
  return verbs.some(({ name, slow }) => slow && name === first) ? "reading the catalogue" : undefined;
}

/** The command line with every verb whose name is in `argv` loaded; the others are there for the list of verbs only. */
export async function program(context: Context, argv: readonly string[]): Promise<Command> {
  const codes = Object.values(exitCodes).map(({ code, doc }) => `  ${String(code).padEnd(4)} ${doc}`);
  const root = new Command("microremed")
    .description("test AI agents that operate microservice systems: inject faults, run agents, verify, score")
    .version(harnessVersion)
    .exitOverride()
    // A verb of a verb may have options of the same name.
    .enablePositionalOptions()
    .configureOutput({ writeErr: (text) => context.terminal.say(text.trimEnd()) })
    .addHelpText("after", `\nExit codes:\n${codes.join("\n")}`);
  for (const { name, summary, load } of verbs) {
    const verb = argv.includes(name) ? (await load())(context) : new Command(name);
    root.addCommand(inherit(root, verb.description(summary)));
  }
  refuseRepeats(root);
  return root;
}

/** A verb's own verbs, too, say what is wrong and leave the ending to `report`. */
function inherit(from: Command, verb: Command): Command {
  verb.copyInheritedSettings(from);
  for (const own of verb.commands) inherit(verb, own);
  return verb;
}

const codeOf: Readonly<Record<string, keyof typeof exitCodes>> = {
  "invalid-config": "usage",
  "invalid-request": "usage",
  "unknown-cluster": "usage",
  "unknown-dead-letter": "usage",
  "unknown-environment": "usage",
  "unknown-experiment": "usage",
  "unknown-failure": "usage",
  "unknown-method": "usage",
  "unknown-model": "usage",
  "unknown-policy": "usage",
  "unknown-problem": "usage",
  "invalid-catalogue": "usage",
  "invalid-environment": "usage",
  "unknown-entry": "usage",
  "bus-unreachable": "unavailable",
  "gateway-unreachable": "unavailable",
  "listen-failed": "unavailable",
  "model-garbled": "unavailable",
  "model-overloaded": "unavailable",
  "model-refused": "unavailable",
  "model-unreachable": "unavailable",
  "missing-tool": "unavailable",
  "start-failed": "unavailable",
};

/** Says what went wrong; returns the exit code for it. */
export function report({ terminal, signal }: Context, error: unknown): number {
  if (signal.aborted) return exitCodes.interrupted.code;
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
  const failure = fileTrouble(error) ?? AppError.from(error);
  terminal.say(`${terminal.paint("red", "error")} ${failure.message} [${failure.code}]`);
  if (failure.code === "internal" && error instanceof Error) terminal.say(error.stack ?? "");
  return exitCodes[codeOf[failure.code] ?? "failed"].code;
}
