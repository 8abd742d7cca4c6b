import { commands } from "./commands/commands.ts";
import type { Command, CommandContext, Place } from "./container/command.types.ts";
import { mostCommands, mostOutput } from "./limits.ts";
import type { PlainShell, ProgramResult, Programs, Step } from "./plain/shell.ts";
import { builtIn } from "./plain/shell-words.ts";
import type { ScriptResult, ScriptRun } from "./run-script.ts";

type RunInShell = (place: Place, run: ScriptRun) => Promise<ScriptResult>;

/** Ends a script that ran or printed too much; the exit code is just-bash's. */
class TooMuch extends Error {}

/** Runs a plain script; `inShell` runs those of its programs that only the whole shell has. */
export async function runPlain(
  place: Place,
  run: ScriptRun,
  script: Step,
  inShell: RunInShell,
): Promise<ScriptResult> {
  let [stdout, stderr] = ["", ""];
  const bounded = (text: string): string => {
    if (text.length > mostOutput) throw new TooMuch(`it printed more than ${mostOutput} bytes`);
    return text;
  };
  const shell: PlainShell = {
    variables: new Map(),
    functions: new Map(),
    given: [],
    args: run.positional ?? [],
    depth: 0,
    code: 0,
    leaving: undefined,
    substituted: 0,
    write: {
      out: (text) => {
        stdout = bounded(stdout + text);
      },
      err: (text) => {
        stderr = bounded(stderr + text);
      },
    },
    programs: programsOf(place, run, inShell),
  };
  try {
    await script(shell);
  } catch (thrown) {
    if (!(thrown instanceof TooMuch)) throw thrown;
    stderr += `${run.shell}: the script was ended: ${thrown.message}\n`;
    shell.code = 126;
  }
  run.signal.throwIfAborted();
  return {
    stdout: Buffer.from(stdout, "latin1"),
    stderr: textOf(stderr),
    exitCode: shell.code,
    cwd: run.cwd,
  };
}

/** Exported variables that just-bash sets besides the container's. */
const ofTheShell = (cwd: string): Readonly<Record<string, string>> => ({
  HOME: "/",
  PATH: "/usr/bin:/bin",
  PWD: cwd,
  OLDPWD: cwd,
});

/** A text of which every character is one byte, whatever it is taken for. */
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A text of the cluster as a script has it, a byte a character, and back. */
function bytesOf(text: string | Uint8Array): string {
  if (typeof text !== "string")
    return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("latin1");
  return isAscii(text) ? text : Buffer.from(text).toString("latin1");
}
const textOf = (bytes: string): string => (isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString());

/** In the words of the image's `sh`. */
const notFound = ({ flavour }: Place, name: string): ProgramResult => ({
  out: "",
  err: `sh: ${flavour === "busybox" ? "" : "1: "}${name}: not found\n`,
  code: 127,
});

/** Where images have their programs. */
const usualFolder = /^\/(?:usr\/)?bin\/([^/]+)$/;

/** What a plain script runs besides itself; `inShell` runs what only the whole shell has. */
export function programsOf(place: Place, run: ScriptRun, inShell: RunInShell): Programs {
  const own = ofTheShell(run.cwd);
  const startedWith = (name: string): string | undefined =>
    Object.hasOwn(run.env, name) ? run.env[name] : Object.hasOwn(own, name) ? own[name] : undefined;
  /** Variables that the script sets are for itself, unless they were there before or are given to a program. */
  const environment = ({ variables, given }: PlainShell, all: boolean): Readonly<Record<string, string>> => {
    // There are some for every Service.
    const environment = { ...own, ...run.env };
    for (const [name, value] of variables)
      if (all || name in environment || given.includes(name)) environment[name] = textOf(value);
    return environment;
  };
  const inside = async (own: Pick<ScriptRun, "script" | "args" | "env">): Promise<ProgramResult> => {
    const { stdout, stderr, exitCode } = await inShell(place, {
      ...run,
      ...own,
      positional: undefined,
      live: undefined,
    });
    return { out: bytesOf(stdout), err: bytesOf(stderr), code: exitCode };
  };
  const has = (name: string): boolean => place.has(name) || builtIn.includes(name);
  /** `env` with arguments starts a program. */
  const commandOf = (path: string, arguments_: number): Command | undefined => {
    const name = usualFolder.exec(path)?.[1] ?? path;
    return (name === path ? has(name) : place.has(name)) && (name !== "env" || arguments_ === 0)
      ? commands.get(name)
      : undefined;
  };
  let count = 0;
  return {
    has,
    files: place.files,
    meetsFaults: place.container.ioFaults.length > 0,
    cwd: run.cwd,
    inherited: (name) => bytesOf(startedWith(name) ?? ""),
    count: () => {
      run.signal.throwIfAborted();
      count += 1;
      if (count > mostCommands) throw new TooMuch(`it ran more than ${mostCommands} commands`);
    },
    whole: (script, shell) => inside({ script, env: environment(shell, true) }),
    ask: async (script, shell) => (await inside({ script, env: environment(shell, true) })).out,
    run: async (shell, name, bytes) => {
      const command = commandOf(name, bytes.length);
      if (!command && run.shell === "sh" && commands.has(name) && !has(name)) return notFound(place, name);
      const args = bytes.map(textOf);
      if (!command) return await inside({ script: name, args, env: environment(shell, false) });
      const variable = (one: string): string | undefined => {
        const started = startedWith(one);
        const set = shell.variables.get(one);
        return set !== undefined && (started !== undefined || shell.given.includes(one))
          ? textOf(set)
          : started;
      };
      const variables = (): Readonly<Record<string, string>> => environment(shell, false);
      return await perform(place, run, { name, args, variable, variables }, command);
    },
  };
}

type Call = Pick<CommandContext, "name" | "args" | "variable" | "variables">;

async function perform(
  place: Place,
  { cwd, signal }: ScriptRun,
  call: Call,
  command: Command,
): Promise<ProgramResult> {
  let [out, err] = ["", ""];
  try {
    const code = await command({
      ...place,
      ...call,
      cwd,
      stdin: async () => new Uint8Array(),
      out: (chunk) => {
        out += bytesOf(chunk);
      },
      err: (text) => {
        err += bytesOf(text);
      },
      signal,
    });
    return { out, err, code };
  } catch (thrown) {
    signal.throwIfAborted();
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { out: "", err: bytesOf(`${call.name}: ${message}\n`), code: 1 };
  }
}
