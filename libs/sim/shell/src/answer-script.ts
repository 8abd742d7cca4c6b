import type { getCommandNames as GetCommandNames } from "just-bash";
import { startInBackground } from "./background.ts";
import { commands } from "./commands/commands.ts";
import type { Command, Place } from "./container/command.types.ts";
import { isOwnVariable, shellPrograms } from "./plain/shell-words.ts";
import type { ScriptResult, ScriptRun } from "./run-script.ts";
import type { OwnCommand, OwnResult, ScriptQuestion } from "./script-messages.types.ts";

/** The program is in the image, and what it would do is not known. */
const notSimulated: Command = ({ name, err }) => {
  err(`${name}: this program is in the image, but the embedded cluster does not simulate it\n`);
  return 126;
};

const usualSeparators = " \t\n";
/** They start other programs, which is done where the script runs. */
const starters = ["timeout", "nohup", "setsid", "env"];

/** The programs of an image by where they run: in the thread with the shell, or here. */
export interface ImagePrograms {
  readonly programs: readonly string[];
  readonly own: readonly string[];
  readonly starters: readonly string[];
}

/** `isAllowed`: whether the image or the shell has a program. `isTar`: the script is tar itself. */
export function programsIn(
  place: Place,
  isAllowed: (name: string) => boolean,
  getCommandNames: typeof GetCommandNames,
  isTar: boolean,
): ImagePrograms {
  // Else the shell would find their empty files and run them as scripts, which succeed.
  const known = new Set([...commands.keys(), ...getCommandNames(), ...shellPrograms, ...starters, "tar"]);
  return {
    programs: getCommandNames().filter(isAllowed),
    own: [
      ...[...commands.keys()].filter((name) => isAllowed(name) && name !== "env"),
      ...place.programs.filter((name) => !known.has(name)),
      ...(place.has("tar") && !isTar ? ["tar"] : []),
    ],
    starters: starters.filter((name) => place.has(name)),
  };
}

/** Answers what a script asks of the cluster. `signal` ends all of it. */
export function answersOf(
  place: Place,
  run: ScriptRun,
  files: Place["files"],
  signal: AbortSignal,
  runInShell: (place: Place, run: ScriptRun) => Promise<ScriptResult>,
): (question: ScriptQuestion) => Promise<unknown> {
  const { loop } = place.deps;
  const timers = new Map<number, { readonly signal: AbortSignal; end(isFired: boolean): void }>();
  const under = (timer: number | undefined): AbortSignal =>
    (timer === undefined ? undefined : timers.get(timer)?.signal) ?? signal;

  async function runOwn({ command: name, args, env, cwd, stdin, timer }: OwnCommand): Promise<OwnResult> {
    const own = under(timer);
    const input = Buffer.from(stdin, "latin1");
    if (name === "tar") {
      const tar = { ...run, script: "tar", args, stdin: input, cwd, signal: own, live: undefined };
      const { stdout, stderr, exitCode } = await runInShell(place, tar);
      return { stdout: Buffer.from(stdout).toString("latin1"), stderr, exitCode };
    }
    const out: Uint8Array[] = [];
    let stderr = "";
    let exitCode = 143;
    try {
      exitCode = await (commands.get(name) ?? notSimulated)({
        ...place,
        name,
        args,
        variable: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
        variables: () => env,
        cwd,
        stdin: async () => input,
        out: (chunk) => out.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
        err: (text) => {
          stderr += text;
        },
        signal: own,
      });
    } catch (thrown) {
      // Ended by `timeout`: what it printed so far remains.
      if (!own.aborted || signal.aborted) throw thrown;
    }
    return { stdout: Buffer.concat(out).toString("latin1"), stderr, exitCode };
  }

  function leave(script: string, cwd: string, env: Readonly<Record<string, string>>): OwnResult {
    const known = Object.entries(env).filter(
      ([name, value]) =>
        /^[A-Za-z_]\w*$/.test(name) &&
        !isOwnVariable(name) &&
        run.env[name] !== value &&
        !(name === "IFS" && value === usualSeparators),
    );
    const exitCode = startInBackground(place, script, { cwd, variables: Object.fromEntries(known) });
    const stderr = exitCode === 0 ? "" : `${run.shell}: can't fork: Resource temporarily unavailable\n`;
    return { stdout: "", stderr, exitCode };
  }

  async function timed(timer: number, ms: number, within: number | undefined): Promise<boolean> {
    const controller = new AbortController();
    const over = Promise.withResolvers<boolean>();
    const cancel = loop.after(ms, "timeout", () => {
      controller.abort();
      over.resolve(true);
    });
    timers.set(timer, { signal: AbortSignal.any([under(within), controller.signal]), end: over.resolve });
    try {
      return await over.promise;
    } finally {
      cancel();
    }
  }

  return async (question) => {
    if ("file" in question) {
      const { file, args } = question;
      return await (files as unknown as Record<string, (...of: unknown[]) => unknown>)[file]?.(...args);
    }
    if ("command" in question) return await runOwn(question);
    if ("sleepMs" in question) return await loop.sleep(question.sleepMs, signal);
    if ("leave" in question) return leave(question.leave, question.cwd, question.env);
    if ("timer" in question) return await timed(question.timer, question.ms, question.within);
    timers.get(question.timerOver)?.end(false);
    timers.delete(question.timerOver);
    return undefined;
  };
}
