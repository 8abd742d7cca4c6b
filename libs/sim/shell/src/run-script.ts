import { shellWord } from "@microremed/core";
import { justBash, runInThread, ScriptEnded } from "@microremed/shell-text";
import { answersOf, programsIn } from "./answer-script.ts";
import type { Place } from "./container/command.types.ts";
import { FileError } from "./container/file-error.ts";
import { nowhere } from "./container/synthetic-files.ts";
import { mostOutput } from "./limits.ts";
import { plainScript } from "./plain/plain-script.ts";
import { builtIn } from "./plain/shell-words.ts";
import { cannotCreate, openedFirst } from "./redirections.ts";
import { runPlain } from "./run-plain.ts";
import type { ScriptEnd, ScriptOrder, ScriptQuestion } from "./script-messages.types.ts";
import { collectOutput, withOutput } from "./script-output.ts";

/** What a shell run needs besides its place. */
export interface ScriptRun {
  readonly script: string;
  /** Arguments handed over without parsing: the script is then a program's name. */
  readonly args?: readonly string[];
  /** `$1` and those that follow it. */
  readonly positional?: readonly string[] | undefined;
  readonly stdin: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly shell: "sh" | "bash";
  readonly signal: AbortSignal;
  /** Takes what is printed, as it is printed; what it has not taken is in the result. */
  readonly live?: ((chunk: string | Uint8Array) => void) | undefined;
}

export interface ScriptResult {
  readonly stdout: Uint8Array | string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Where the shell ended up, for the next line of an interactive one. */
  readonly cwd: string;
}

/** The program that runs scripts in threads. */
const program = new URL("./thread/script-thread.ts", import.meta.url).href;
/** CPU that one script may take, s. */
const mostSeconds = 2;
/** Methods that files answer without a container. */
const answeredThere = new Set(["resolvePath", "getAllPaths"]);

/** A plain script's output is seen when it has ended. */
const waits = /\bsleep\b/;
/** Plain scripts with functions and substitutions are those of probes: they have to be fast more than early. */
const intricate = /[`(){}]|<<|>&|&>|\bcase\b/;

/** Runs a script, or one program with arguments, over the container's files: without a shell where it needs none. */
export async function runScript(place: Place, run: ScriptRun): Promise<ScriptResult> {
  const isSeenLate = run.live !== undefined && waits.test(run.script) && !intricate.test(run.script);
  if (run.args || isSeenLate || run.stdin.length > 0) return await runInShell(place, run);
  const { parse } = await justBash();
  const plain = plainScript(run.script, parse);
  return plain ? await runPlain(place, run, plain, runInShell) : await runInShell(place, run);
}

/** Runs it in just-bash, in a thread: what it computes holds up nothing in this process. */
export async function runInShell(place: Place, run: ScriptRun): Promise<ScriptResult> {
  const { args, positional = [], env, cwd, shell } = run;
  const script =
    positional.length === 0 ? run.script : `set -- ${positional.map(shellWord).join(" ")}\n${run.script}`;
  const { flavour, pid } = place;
  const isTar = script === "tar" && args !== undefined;
  const { getCommandNames } = await justBash();
  const output = collectOutput(run.live);
  const ending = AbortSignal.any([run.signal, output.full]);

  const files = withOutput(isTar ? unfollowed(place.files) : place.files, output.add);
  const opened = openedFirst(files, flavour, shell);
  const fileMethods = Object.entries(opened.files)
    .filter(([name, method]) => typeof method === "function" && !answeredThere.has(name))
    .map(([name]) => name);
  const order: ScriptOrder = {
    ...{ script, args, env: { ...env }, cwd, shell, pid, flavour, fileMethods, nowhere },
    stdin: Buffer.from(run.stdin).toString("latin1"),
    ...programsIn(place, (name) => place.has(name) || builtIn.includes(name), getCommandNames, isTar),
  };
  const result = await runInThread<ScriptOrder, ScriptQuestion, unknown, ScriptEnd>(program, order, {
    answer: answersOf(place, run, opened.files, ending, runInShell),
    now: async () => place.deps.loop.now(),
    signal: ending,
    mostSeconds,
    onComputing: place.deps.onComputing,
  }).catch((thrown: unknown): ScriptEnd => {
    run.signal.throwIfAborted();
    const ended = { stdout: "", isBinary: false, stderr: "", cwd: undefined };
    if (output.full.aborted) return { ...ended, exitCode: 126 };
    if (thrown instanceof ScriptEnded)
      return { ...ended, stderr: `bash: the script was ended: ${thrown.message}\n`, exitCode: 137 };
    if (!(thrown instanceof FileError)) throw thrown;
    // It ends the shell: a special builtin's redirection, or a file that can be opened and not written.
    const stderr = `bash: ${cannotCreate(thrown.path, thrown, { flavour, shell })}\n`;
    return { ...ended, stderr, exitCode: 1 };
  });
  run.signal.throwIfAborted();
  const tooMuch = output.full.aborted
    ? `${run.shell}: the script was ended: it printed more than ${mostOutput} bytes\n`
    : "";
  /** busybox's tar has one code for all that can go wrong. */
  const exitCodeOf = (code: number): number =>
    isTar && place.flavour === "busybox" ? Math.min(code, 1) : code;
  const complaints = opened.inWords(result.stderr) + opened.toStderr();
  return {
    stdout: Buffer.concat([output.taken(), Buffer.from(result.stdout, result.isBinary ? "latin1" : "utf8")]),
    stderr: (isTar ? inWordsOfTar(place, complaints) : inWordsOf(place, run.shell, complaints)) + tooMuch,
    exitCode: tooMuch ? 126 : exitCodeOf(result.exitCode),
    cwd: result.cwd ?? run.cwd,
  };
}

/** Files for a program that takes links for what they are: the shell's tar asks only where they lead. */
const unfollowed = (files: Place["files"]): Place["files"] => ({ ...files, stat: files.lstat });

/** just-bash's tar names Node's errors. */
function inWordsOfTar({ flavour }: Place, stderr: string): string {
  const missing = /^(tar: .*): ENOENT: .*$/gm;
  if (!missing.test(stderr)) return stderr;
  return flavour === "busybox"
    ? `${stderr.replace(missing, "$1: No such file or directory")}tar: error exit delayed from previous errors\n`
    : `${stderr.replace(missing, "$1: Cannot stat: No such file or directory")}tar: Exiting with failure status due to previous errors\n`;
}

/** What just-bash says of programs that it has in other places only. */
const elsewhere = /^bash: (?:line \d+: )?(\S+): command not available in browser environments.*$/gm;

/** just-bash speaks as bash; other shells word their errors differently. */
function inWordsOf({ flavour }: Place, shell: "sh" | "bash", given: string): string {
  const stderr = given.replace(elsewhere, "bash: $1: command not found");
  if (shell === "bash") return stderr.replace(/^bash: (?!line )/gm, "bash: line 1: ");
  const prefix = flavour === "busybox" ? "sh: " : "sh: 1: ";
  return stderr
    .replace(/^bash: (.*): command not found$/gm, `${prefix}$1: not found`)
    .replace(/^bash: (?:line \d+: )?/gm, prefix);
}
