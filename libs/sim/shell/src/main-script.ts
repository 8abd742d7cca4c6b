import { justBash } from "@microremed/shell-text";
import {
  appendLog,
  type ContainerRuntime,
  fileAt,
  lacksInterpreter,
  locate,
  type MainScript,
  normalized,
  type PodSandbox,
  type RunMainScript,
  toolboxOf,
} from "@microremed/sim-machine";
import { commands } from "./commands/commands.ts";
import type { Place } from "./container/command.types.ts";
import { createContainerFiles } from "./container/container-files.ts";
import { environmentOf } from "./container/environment-of.ts";
import type { ShellDeps } from "./container/shell-deps.types.ts";
import { compileMain } from "./main-script/compile-flow.ts";
import type { MainFlow } from "./main-script/flow.types.ts";
import { type FlowState, runFlow } from "./main-script/run-flow.ts";
import { builtins } from "./plain/builtins.ts";
import type { PlainShell, Step } from "./plain/shell.ts";
import { ownCommands, shellPrograms } from "./plain/shell-words.ts";
import { programsOf } from "./run-plain.ts";
import { runInShell } from "./run-script.ts";

interface State extends FlowState {
  /** Which run the script belongs to: one that the cluster was put back from finds another one here. */
  turn: number;
  stoppedAt: number | undefined;
  readonly rest: { out: string; err: string };
}

const shells = new Set(["sh", "ash", "bash", "dash"]);
/** A loop that does more than print goes round no more often than this, ms. */
const leastRoundMs = { lazy: 10, eager: 250 };
/** Runs of all scripts together, so that each has a number of its own. */
let turns = 0;

interface FoundScript {
  readonly script: string;
  readonly args: readonly string[];
  readonly errexit: boolean;
}

/** The script of `sh -c SCRIPT NAME ARGS`, `sh FILE ARGS`, or of a file that is one; undefined: the command is something else. */
function scriptOf({ sandbox, container }: MainScript): FoundScript | undefined {
  const [program = "", ...words] = container.command;
  const textOf = (path: string): string | undefined => {
    const content = path.startsWith("/") ? fileAt(locate(sandbox, container, normalized(path))) : undefined;
    return content && Buffer.from(content).toString("latin1");
  };
  if (!shells.has(program.split("/").pop() ?? "")) {
    const text = textOf(program);
    const shell = text && /^#!\s*\S*\/(?:env\s+)?(\w+)([^\n]*)/.exec(text);
    if (!text || !shell || !shells.has(shell[1] ?? "")) return undefined;
    return { script: text, args: words, errexit: shell[2]?.includes("e") ?? false };
  }
  const [options = "", script, , ...args] = words;
  if (/^-[eux]*c[eux]*$/.test(options))
    return script === undefined ? undefined : { script, args, errexit: options.includes("e") };
  const at = words.findIndex((word) => !word.startsWith("-"));
  const text = words.slice(0, at).every((word) => /^-[eux]+$/.test(word))
    ? textOf(words[at] ?? "")
    : undefined;
  if (text === undefined) return undefined;
  return { script: text, args: words.slice(at + 1), errexit: words.slice(0, at).join("").includes("e") };
}

/** `track` says that the cluster's time is not to run away from what `work` computes. */
export function createMainScripts(
  deps: ShellDeps,
  track: (work: () => Promise<void>) => Promise<void>,
): RunMainScript {
  return (main) => {
    const found = scriptOf(main);
    if (!found) return undefined;
    const process = createProcess(deps, main, found.args);
    void track(async () => {
      const flow = await compiled(main, found).catch(() => undefined);
      // What only computes is run as any other command.
      if (flow && (flow.takesTime || main.staysInUnknown)) await process.start(flow, track);
      else main.unknown();
    });
    return process.stop;
  };
}

async function compiled(
  { sandbox, container, staysInUnknown }: MainScript,
  { script, errexit }: FoundScript,
): Promise<MainFlow | undefined> {
  const { getCommandNames, parse, serialize } = await justBash();
  const known = new Set([
    ...commands.keys(),
    ...builtins.keys(),
    ...ownCommands,
    ...shellPrograms,
    ...getCommandNames(),
  ]);
  try {
    return compileMain(
      script,
      {
        parse,
        serialize: serialize as (script: never) => string,
        wholeShell,
        // A program that the image is known not to have is not found.
        knows: (name) => !staysInUnknown || known.has(name) || lacksInterpreter(container.image, name),
        lacks: (path) => script.split(path).length === 2 && lacksFile(sandbox, container, path),
      },
      errexit,
    );
  } catch {
    // It is not plain, or the shell itself says what is wrong with one that cannot be parsed.
    return undefined;
  }
}

/** Folders of programs that no list here is complete for. */
const usualFolders = /^\/(usr\/(local\/)?)?s?bin\//;

/** Whether a file is known not to be there: its image is known, and nothing has brought it. */
const lacksFile = (sandbox: PodSandbox, container: ContainerRuntime, path: string): boolean =>
  path.startsWith("/") &&
  !usualFolders.test(path) &&
  container.ownPrograms?.includes(path) === false &&
  fileAt(locate(sandbox, container, normalized(path))) === undefined;

const wholeShell =
  (text: string): Step =>
  async (shell) => {
    const { out, err, code } = await shell.programs.whole(text, shell);
    shell.write.out(out);
    shell.write.err(err);
    shell.code = code;
  };

function createProcess(
  deps: ShellDeps,
  { sandbox, container, serves, ended }: MainScript,
  args: readonly string[],
) {
  const { loop } = deps;
  const rest = loop.keep({ out: "", err: "" });
  const state = loop.keep<State>({
    frame: undefined,
    at: loop.now(),
    code: 0,
    rounds: undefined,
    atExit: undefined,
    turn: 0,
    stoppedAt: undefined,
    rest,
  });
  const variables = loop.keep(new Map<string, string>());
  const functions = loop.keep(new Map<string, Step>());
  let running = new AbortController();
  let reading: Promise<void> = Promise.resolve();

  function print(stream: "out" | "err", text: string): void {
    const lines = (rest[stream] + text).split("\n");
    rest[stream] = lines.pop() ?? "";
    container.terminal?.print(stream === "out" ? "stdout" : "stderr", Buffer.from(text, "latin1"));
    const at = Math.min(state.at, state.stoppedAt ?? state.at);
    for (const line of lines)
      appendLog(container, {
        at,
        stream: stream === "out" ? "stdout" : "stderr",
        text: Buffer.from(line, "latin1").toString(),
      });
  }

  function fail(thrown: unknown): void {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    print("err", `sh: the script was ended: ${why}\n`);
    Object.assign(state, { frame: undefined, atExit: undefined, code: 126 });
  }

  /** Goes on to `until`, in the script's own time or in the cluster's. */
  async function run(until: number, isLazy: boolean): Promise<boolean> {
    turns += 1;
    const mine = turns;
    state.turn = mine;
    running = new AbortController();
    const { signal } = running;
    const clock = isLazy ? { ...loop, now: () => state.at } : loop;
    const place = placeOf({ ...deps, loop: clock }, sandbox, container, signal);
    const env = environmentOf(sandbox, container);
    const shell: PlainShell = {
      variables,
      functions,
      given: [],
      args,
      depth: 0,
      code: state.code,
      leaving: undefined,
      substituted: 0,
      write: { out: (text) => print("out", text), err: (text) => print("err", text) },
      programs: programsOf(
        place,
        { script: "", stdin: new Uint8Array(), env, cwd: "/", shell: "sh", signal },
        runInShell,
      ),
    };
    const goesOn = (): boolean => state.turn === mine && !signal.aborted;
    const now = (): number | undefined => (isLazy ? undefined : loop.now());
    try {
      await runFlow(
        { state, shell, now, goesOn, leastRoundMs: leastRoundMs[isLazy ? "lazy" : "eager"] },
        until,
      );
    } catch (thrown) {
      // No caller waits for it: what fails here, a script that computes too much for example, is the end of the script alone.
      if (goesOn()) fail(thrown);
    }
    return goesOn();
  }

  /** Runs what is due, and plans the next time. */
  async function goOn(track: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    const again = (delayMs: number): void => {
      loop.after(delayMs, "script", () => {
        if (state.stoppedAt === undefined) void track(() => goOn(track));
      });
    };
    // A program that runs cannot be put back: it begins again.
    const stopFollowing = loop.onRestore(() => again(0));
    const mine = await run(loop.now(), false);
    if (!mine) return;
    stopFollowing();
    if (state.frame?.flow.kind === "stays" && state.frame.flow.serves) serves();
    if (!state.frame) {
      loop.after(0, "script", () => {
        if (state.stoppedAt === undefined) ended(state.code);
      });
    } else if (state.at < Number.POSITIVE_INFINITY) again(Math.max(0, state.at - loop.now()));
  }

  return {
    async start(
      { flow, isLazy }: MainFlow,
      track: (work: () => Promise<void>) => Promise<void>,
    ): Promise<void> {
      state.frame = { flow, at: 0, up: undefined };
      if (!isLazy || container.terminal) return await goOn(track);
      container.printUntil = (now) => {
        reading = reading
          .then(async () => {
            await run(Math.min(now, state.stoppedAt ?? now), true);
          })
          .catch(() => {});
        return reading;
      };
    },
    stop(): void {
      if (state.stoppedAt === undefined) state.stoppedAt = loop.now();
      if (!container.printUntil) running.abort();
    },
  };
}

function placeOf(
  deps: ShellDeps,
  sandbox: PodSandbox,
  container: ContainerRuntime,
  signal: AbortSignal,
): Place {
  const { programs, flavour } = toolboxOf(container);
  return {
    deps,
    sandbox,
    container,
    flavour,
    pid: 1,
    tty: false,
    files: createContainerFiles(deps, sandbox, container, programs, signal),
    programs,
    has: (tool) => programs.includes(tool),
  };
}
