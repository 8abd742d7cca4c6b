import { normalized } from "@microremed/sim-machine";
import type { Place } from "./container/command.types.ts";
import { fileWords } from "./container/file-error.ts";
import { runScript, type ScriptResult, type ScriptRun } from "./run-script.ts";

export interface ShellRun {
  readonly place: Place;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  stdin(unlessIdle: boolean): Promise<Uint8Array>;
  readonly input: AsyncIterable<Uint8Array> | undefined;
  readonly tty: boolean;
  readonly shell: "sh" | "bash";
  out(chunk: string | Uint8Array): void;
  err(text: string): void;
  readonly signal: AbortSignal;
}

/** `sh -c SCRIPT [NAME ARGS]`, `sh FILE`, a script on stdin, or an interactive shell on a terminal. */
export async function runShell(run: ShellRun): Promise<number> {
  const { place, args, shell } = run;
  const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
  if (at >= 0) {
    const script = args[at + 1];
    if (script === undefined) {
      run.err(`${shell}: -c requires an argument\n`);
      return 2;
    }
    const options = args.slice(0, at + 1).join("");
    const prelude = options.includes("e") ? "set -e\n" : "";
    return once(run, prelude + script, await stdinUnlessTty(run), args.slice(at + 3));
  }
  const file = args.find((arg) => !arg.startsWith("-"));
  if (file !== undefined) {
    try {
      const script = await place.files.readFile(normalized(file));
      return once(run, script, await stdinUnlessTty(run));
    } catch (thrown) {
      run.signal.throwIfAborted();
      run.err(`${shell}: can't open '${file}': ${fileWords(thrown, place.flavour)}\n`);
      return 2;
    }
  }
  if (run.tty && run.input) return interactive(run, run.input);
  return once(run, new TextDecoder().decode(await run.stdin(false)), new Uint8Array());
}

/** With a terminal attached stdin never ends, so a script gets none. */
const stdinUnlessTty = async (run: ShellRun): Promise<Uint8Array> =>
  run.tty ? new Uint8Array() : run.stdin(true);

async function once(
  run: ShellRun,
  script: string,
  stdin: Uint8Array,
  positional?: readonly string[],
): Promise<number> {
  const result = await step(run, { script, stdin, cwd: "/", positional });
  return result.exitCode;
}

async function step(
  run: ShellRun,
  given: Pick<ScriptRun, "script" | "stdin" | "cwd" | "positional">,
): Promise<ScriptResult> {
  const { place, env, shell, signal } = run;
  const result = await runScript(place, { ...given, env, shell, signal, live: run.out });
  run.out(result.stdout);
  run.err(result.stderr);
  return result;
}

/** Ctrl-D. */
const endOfInput = "\u0004";

function lineEnd(text: string): number {
  const ends = ["\r", "\n", endOfInput].map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return ends.length === 0 ? -1 : Math.min(...ends);
}

/** A prompt, a line, its output, and again; the working directory is kept between lines. */
async function interactive(run: ShellRun, input: AsyncIterable<Uint8Array>): Promise<number> {
  let cwd = "/";
  let code = 0;
  let pending = "";
  const decoder = new TextDecoder();
  const prompt = (): void =>
    run.out(run.place.flavour === "busybox" ? `${cwd} # ` : `root@${run.place.sandbox.hostname}:${cwd}# `);
  prompt();
  for await (const chunk of input) {
    const text = decoder.decode(chunk, { stream: true });
    // The terminal of a container echoes what is typed.
    run.out(text.replaceAll("\r", "\r\n"));
    pending += text;
    for (;;) {
      const end = lineEnd(pending);
      if (end < 0) break;
      const line = pending.slice(0, end).trim();
      const closes = pending[end] === endOfInput;
      pending = pending.slice(end + 1);
      if (closes && line === "") return code;
      const leaves = /^exit(?:\s+(\d+))?$/.exec(line);
      if (leaves) return Number(leaves[1] ?? code);
      if (line !== "") {
        const result = await step(run, { script: line, stdin: new Uint8Array(), cwd });
        cwd = result.cwd;
        code = result.exitCode;
      }
      prompt();
    }
  }
  return code;
}
