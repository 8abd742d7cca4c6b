import type {
  CustomCommand,
  defineCommand as DefineCommand,
  getCommandNames as GetCommandNames,
} from "just-bash";
import { startInBackground } from "./background.ts";
import { commands } from "./commands/commands.ts";
import { envCommand } from "./commands/env-command.ts";
import { backgroundCommand } from "./container/background-command.ts";
import type { Command, Place } from "./container/command.types.ts";
import { builtIn, isOwnVariable, shellPrograms } from "./plain/shell-words.ts";
import type { ScriptResult, ScriptRun } from "./run-script.ts";

/** The program is in the image, and what it would do is not known. */
const notSimulated: Command = ({ name, err }) => {
  err(`${name}: this program is in the image, but the embedded cluster does not simulate it\n`);
  return 126;
};

const usualSeparators = " \t\n";

interface ShellParts {
  readonly defineCommand: typeof DefineCommand;
  readonly getCommandNames: typeof GetCommandNames;
  readonly runInShell: (place: Place, run: ScriptRun) => Promise<ScriptResult>;
  /** The script is tar itself. */
  readonly isTar: boolean;
}

/** The programs of a container's image that are not the shell's: those that read the simulated machine or run others. */
export function shellCommands(
  place: Place,
  run: ScriptRun,
  { defineCommand, getCommandNames, runInShell, isTar }: ShellParts,
): CustomCommand[] {
  let signal = run.signal;

  const adapt = (name: string, command: Command): CustomCommand =>
    defineCommand(name, async (args, context) => {
      const out: Uint8Array[] = [];
      let err = "";
      const own = signal;
      let exitCode = 143;
      try {
        exitCode = await command({
          ...place,
          name,
          args,
          variable: (name) => (context.exportedEnv ? context.exportedEnv[name] : context.env.get(name)),
          variables: () => context.exportedEnv ?? Object.fromEntries(context.env),
          cwd: context.cwd,
          stdin: async () => Buffer.from(String(context.stdin), "latin1"),
          out: (chunk) => out.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
          err: (text) => {
            err += text;
          },
          signal: own,
        });
      } catch (thrown) {
        // Ended by `timeout`: what it printed so far remains.
        if (!own.aborted || run.signal.aborted) throw thrown;
      }
      const stdout = Buffer.concat(out).toString("latin1");
      return { stdout, stdoutKind: "bytes", stdoutEncoding: "binary", stderr: err, exitCode };
    });

  const timeout = defineCommand("timeout", async (args, context) => {
    const rest =
      args[0] === "-s" || args[0] === "-k" || args[0] === "-t" ? args.slice(args[0] === "-t" ? 1 : 2) : args;
    const [seconds = "0", program, ...programArgs] = rest.filter((arg, at) => at > 0 || !arg.startsWith("-"));
    if (!program || !context.exec) return { stdout: "", stderr: "timeout: missing operand\n", exitCode: 125 };
    const controller = new AbortController();
    const outer = signal;
    const cancel = place.deps.loop.after(Number.parseFloat(seconds) * 1000, "timeout", () =>
      controller.abort(),
    );
    signal = AbortSignal.any([outer, controller.signal]);
    try {
      const result = await context.exec(program, { cwd: context.cwd, args: programArgs, signal: outer });
      return controller.signal.aborted
        ? { ...result, exitCode: place.flavour === "busybox" ? 143 : 124 }
        : result;
    } finally {
      cancel();
      signal = outer;
    }
  });

  const leave = defineCommand(backgroundCommand, async ([script = ""], context) => {
    const known = Object.entries(Object.fromEntries(context.env)).filter(
      ([name, value]) =>
        /^[A-Za-z_]\w*$/.test(name) &&
        !isOwnVariable(name) &&
        run.env[name] !== value &&
        !(name === "IFS" && value === usualSeparators),
    );
    const variables = Object.fromEntries(known);
    const exitCode = startInBackground(place, script, { cwd: context.cwd, variables });
    const stderr = exitCode === 0 ? "" : `${run.shell}: can't fork: Resource temporarily unavailable\n`;
    return { stdout: "", stderr, exitCode };
  });
  // A process of its own session ignores what would end it with its terminal: none has one here.
  const prefix = (name: string): CustomCommand =>
    defineCommand(name, async ([program, ...args], context) => {
      if (program === undefined || !context.exec)
        return { stdout: "", stderr: `${name}: missing operand\n`, exitCode: 125 };
      return await context.exec(program, { cwd: context.cwd, args, signal });
    });
  const tar = defineCommand("tar", async (args, context) => {
    const { stdout, stderr, exitCode } = await runInShell(place, {
      ...run,
      script: "tar",
      args,
      stdin: Buffer.from(String(context.stdin), "latin1"),
      cwd: context.cwd,
      signal,
      live: undefined,
    });
    const bytes = Buffer.from(stdout).toString("latin1");
    return { stdout: bytes, stdoutKind: "bytes", stdoutEncoding: "binary", stderr, exitCode };
  });
  const prefixes = ["nohup", "setsid"].filter((name) => place.has(name));

  const allowed = (name: string): boolean => place.has(name) || builtIn.includes(name);
  const own = [...commands].filter(([name]) => allowed(name) && name !== "env");
  // Else the shell would find their empty files and run them as scripts, which succeed.
  const known = new Set([
    ...commands.keys(),
    ...getCommandNames(),
    ...shellPrograms,
    "tar",
    "timeout",
    ...prefixes,
  ]);
  return [
    ...own.map(([name, command]) => adapt(name, command)),
    ...place.programs.filter((name) => !known.has(name)).map((name) => adapt(name, notSimulated)),
    ...(place.has("timeout") ? [timeout] : []),
    ...(place.has("tar") && !isTar ? [tar] : []),
    ...prefixes.map(prefix),
    ...(place.has("env") ? [envCommand(defineCommand, () => signal)] : []),
    leave,
  ];
}
