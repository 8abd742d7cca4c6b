import type { CommandName, CustomCommand, ExecOptions } from "just-bash";
import { handOverBackground, startInBackground } from "./background.ts";
import { builtIn, commands } from "./commands.ts";
import { backgroundCommand } from "./container/background-command.ts";
import type { Command, Place } from "./container/command.types.ts";
import { plainScript } from "./plain/plain-script.ts";
import { mostCommands, mostOutput, runPlain } from "./run-plain.ts";
import { liveOutput } from "./stream-script.ts";

/** What a shell run needs besides its place. */
export interface ScriptRun {
  readonly script: string;
  /** Arguments handed over without parsing: the script is then a program's name. */
  readonly args?: readonly string[];
  readonly stdin: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly shell: "sh" | "bash";
  readonly signal: AbortSignal;
  /** Takes what a streamed script prints, as it prints it. */
  readonly live?: (chunk: string | Uint8Array) => void;
}

export interface ScriptResult {
  readonly stdout: Uint8Array | string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Where the shell ended up, for the next line of an interactive one. */
  readonly cwd: string;
}

/** Bounds one shell run: what a script computes without waiting blocks the whole cluster. */
const executionLimits = {
  maxCommandCount: mostCommands,
  maxLoopIterations: 20_000,
  maxOutputSize: mostOutput,
  maxStringLength: 4 << 20,
  maxSourceBytes: 1 << 20,
  maxWorkUnits: 200_000,
};

/** Variables that a shell sets itself and lets no script set. */
const ofTheShell = /^(BASH\w*|SHELLOPTS|E?UID|PPID|_|(HOST|MACH|OS)TYPE|OPTIND|(OLD)?PWD)$/;
const usualSeparators = " \t\n";

/** Runs a script, or one program with arguments, over the container's files: without a shell where it needs none. */
export async function runScript(place: Place, run: ScriptRun): Promise<ScriptResult> {
  if (run.args || run.live || run.stdin.length > 0) return await runInShell(place, run);
  const { parse } = await import("just-bash");
  const plain = plainScript(run.script, parse);
  return plain ? await runPlain(place, run, plain, runInShell) : await runInShell(place, run);
}

/** Runs it in just-bash. */
async function runInShell(place: Place, run: ScriptRun): Promise<ScriptResult> {
  // Loaded when the first shell is opened: it is large, and most execs are plain programs.
  const { Bash, defineCommand, getCommandNames, parse, serialize } = await import("just-bash");
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
          env: context.exportedEnv ?? Object.fromEntries(context.env),
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
        !ofTheShell.test(name) &&
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
  const prefixes = ["nohup", "setsid"].filter((name) => place.has(name));

  const allowed = (name: string): boolean => place.has(name) || builtIn.includes(name);
  // A prefix such as `env A=b program` needs the shell's own env.
  const own = [...commands].filter(([name]) => allowed(name) && name !== "env");
  const bash = new Bash({
    fs: run.live ? withLiveOutput(place.files, run.live) : place.files,
    cwd: run.cwd,
    env: { ...run.env },
    commands: getCommandNames().filter((name) => allowed(name)) as CommandName[],
    customCommands: [
      ...own.map(([name, command]) => adapt(name, command)),
      ...(place.has("timeout") ? [timeout] : []),
      ...prefixes.map(prefix),
      leave,
    ],
    sleep: (ms) => place.deps.loop.sleep(ms, signal),
    executionLimits,
    // It patches globals of the whole process; no guest code runs as JavaScript here.
    defenseInDepth: false,
    processInfo: { pid: 1, ppid: 0, uid: 0, gid: 0 },
  });
  const options: ExecOptions = {
    stdin: Buffer.from(run.stdin).toString("latin1"),
    stdinKind: "bytes",
    signal: run.signal,
    rawScript: true,
    ...(run.args && { args: [...run.args] }),
  };
  const script = run.args ? run.script : handOverBackground(run.script, { parse, serialize });
  const result = await bash.exec(script, options);
  run.signal.throwIfAborted();
  const binary = result.stdoutKind === "bytes" || result.stdoutEncoding === "binary";
  return {
    stdout: binary ? Buffer.from(result.stdout, "latin1") : result.stdout,
    stderr: inWordsOf(place, run.shell, result.stderr),
    exitCode: result.exitCode,
    cwd: result.env["PWD"] ?? run.cwd,
  };
}

/** Files of which one is the script's own output. */
function withLiveOutput(files: Place["files"], live: (chunk: string | Uint8Array) => void): Place["files"] {
  return {
    ...files,
    async appendFile(path, content, options) {
      if (path === liveOutput) live(content);
      else await files.appendFile(path, content, options);
    },
  };
}

/** just-bash speaks as bash; other shells word their errors differently. */
function inWordsOf({ flavour }: Place, shell: "sh" | "bash", stderr: string): string {
  if (shell === "bash") return stderr.replace(/^bash: (?!line )/gm, "bash: line 1: ");
  const prefix = flavour === "busybox" ? "sh: " : "sh: 1: ";
  return stderr
    .replace(/^bash: (.*): command not found$/gm, `${prefix}$1: not found`)
    .replace(/^bash: (?:line \d+: )?/gm, prefix);
}
