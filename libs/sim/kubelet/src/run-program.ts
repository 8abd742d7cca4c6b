import {
  appendLog,
  type ContainerRuntime,
  isBareImage,
  type Network,
  type PodSandbox,
  type Program,
  programOf,
  type RunMainScript,
  toolboxOf,
} from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { copyFiles } from "./copy-files.ts";
import type { ImageCatalog } from "./image-catalog.ts";
import type { RunCommand } from "./run-command.ts";
import { runJob } from "./run-job.ts";

export interface ProgramDeps {
  readonly loop: EventLoop;
  readonly network: Network;
  readonly images: ImageCatalog;
  readonly runtime: ContainerRuntime;
  readonly sandbox: PodSandbox;
  /** For commands that no environment knows; without it they only take their time. */
  readonly runCommand: RunCommand | undefined;
  /** For shells with a script that no environment knows; without it they are commands as any other. */
  readonly runMainScript: RunMainScript | undefined;
}

/** How often an init container's CPU work is checked for its end, ms. */
const workPollMs = 250;
const connectTimeoutMs = 10_000;
/** How long a program tries to reach what it needs before it gives up, as MongoDB's drivers do, and its pause between tries, ms. */
const dialTimeoutMs = 10_000;
const dialAgainMs = 500;
/** Exit code of what cannot be carried out here, such as a script in Python: a Job's is taken to end well. */
const notRun = 126;
/** Exit code of a process that a SIGKILL ended. */
const killed = 137;

/** Lets a container's main process do what it does; `onExit` is called when it ends by itself. Returns the way to stop. */
export function runProgram(deps: ProgramDeps, onExit: (exitCode: number) => void): () => void {
  const { loop, network, images, runtime, sandbox, runCommand, runMainScript } = deps;
  const abort = new AbortController();
  const state = loop.keep({ stopped: false });
  let turn = 0;
  const later = (ms: number, task: () => void): void => {
    loop.after(ms, "program", () => {
      if (!state.stopped) task();
    });
  };
  const end = (exitCode: number, ...saying: readonly string[]): void => {
    if (state.stopped) return;
    for (const text of saying) appendLog(runtime, { at: loop.now(), stream: "stderr", text });
    state.stopped = true;
    runtime.terminal?.close();
    onExit(exitCode);
  };

  const stop = (): void => {
    state.stopped = true;
    runtime.terminal?.close();
    abort.abort();
  };
  if (images.isPause(runtime.image)) return stop;
  const program = mainProgram(runtime);
  const broken = brokenVersion(runtime);

  /** CPU work comes first; a container that is held to little CPU takes its time. */
  function afterWork(task: () => void): void {
    if (runtime.startupLeft <= 0) {
      task();
      return;
    }
    later(workPollMs, () => afterWork(task));
  }

  function knock(): void {
    if (program.type !== "waits") return;
    const { host, port, path, retryMs } = program;
    const tried = program.http
      ? network.httpGet(sandbox, host, port, path, connectTimeoutMs)
      : network.tcpConnect(sandbox, host, port, connectTimeoutMs);
    later(tried.elapsedMs + 20, () => {
      if (tried.ok) end(0);
      else if (retryMs === undefined) end(1);
      else later(retryMs, knock);
    });
  }

  /** A program that cannot reach what it needs tries again for a while, and ends. */
  function dial(since: number): void {
    const tried = network.dialAtStart(runtime, sandbox, dialTimeoutMs);
    if (!tried) return;
    runtime.isDialling = true;
    later(tried.elapsedMs, () => {
      if (tried.ok) runtime.isDialling = false;
      else if (loop.now() - since < dialTimeoutMs) later(dialAgainMs, () => dial(since));
      else end(...lastWords(runtime, tried.error));
    });
  }

  function runTheCommand(run: RunCommand): void {
    // A signal that ended the command ended the container too, so its outcome is not awaited.
    const failed = (): number => 1;
    turn += 1;
    const mine = turn;
    const finished = run(sandbox, runtime, abort.signal);
    // A script cannot be taken back to an earlier line: going back to a time when it ran kills it. One that has waited for
    // its first client since its start begins again.
    const stopFollowing = loop.onRestore(() => {
      if (!runtime.terminal || runtime.terminal.wasUsed) return end(killed);
      runtime.terminal.renew();
      runTheCommand(run);
    });
    void finished.catch(failed).then((exitCode) => {
      if (mine !== turn) return;
      if (!state.stopped) stopFollowing();
      later(0, () => end(runtime.isTask && exitCode === notRun ? 0 : exitCode));
    });
  }

  /** A server whose script has come to it. */
  function listen(): void {
    if (runtime.isImplied && !state.stopped) runtime.isDialling = false;
  }

  function run(): void {
    listen();
    const isCommand =
      runtime.command.length > 0 && program.type === "ends" && !runtime.behaviour && !isOwnTask(runtime);
    if (runtime.behaviour?.ends && program.type !== "waits")
      runJob({ loop, network, runtime, sandbox, later, afterWork, end });
    else if (runCommand && (isCommand || readsTerminal(runtime))) runTheCommand(runCommand);
    else if (program.type === "ends")
      later(program.ms, () => {
        if (runtime.init && runtime.behaviour) copyFiles(sandbox, runtime);
        afterWork(() => end(program.exitCode));
      });
    else if (program.type === "waits") later(100, () => afterWork(knock));
    else if (broken) afterWork(() => end(broken.exits, broken.says));
    else if (!runtime.init) dial(loop.now());
  }

  const stopScript =
    program.type === "waits" || isModelled(runtime)
      ? undefined
      : runMainScript?.({
          sandbox,
          container: runtime,
          staysInUnknown: program.type === "serves",
          serves: listen,
          ended: end,
          unknown: run,
        });
  if (!stopScript) run();
  return () => {
    stop();
    stopScript?.();
  };
}

/**
 * Whether its program is known to do something else than its command says. One that is `idle` does nothing by itself, unless it is an
 * init container, which ends.
 */
const isModelled = ({ behaviour, isImplied, init }: ContainerRuntime): boolean =>
  behaviour !== undefined &&
  !isImplied &&
  (init || behaviour.ends !== undefined || behaviour.runtime !== "idle");

/** The exit code of a program that gives up, and what it says. */
const lastWords = ({ behaviour }: ContainerRuntime, why: string): [number, ...string[]] =>
  behaviour?.runtime === "go"
    ? [2, `panic: ${why}`, "", "goroutine 1 [running]:", "main.main()"]
    : [1, `Error: ${why}`];

/** How the version that an image is ends when it starts; undefined: it does not. */
function brokenVersion({ init, image, behaviour }: ContainerRuntime) {
  const { exits, says = "" } = behaviour?.versions?.[image] ?? {};
  return init || exits === undefined ? undefined : { exits, says };
}

/** What a container's main process is; a shell or a prompt without a terminal ends at once. */
function mainProgram({ behaviour, command, env, image, init, isTask, terminal }: ContainerRuntime): Program {
  const isPrompt = !behaviour && !terminal && command.length === 0 && isBareImage(image);
  return isPrompt ? { type: "ends", ms: 100, exitCode: 0 } : programOf(command, env, behaviour, init, isTask);
}

/** Whether it is of a Job and runs a program of its image, of which nothing is known. */
function isOwnTask(container: ContainerRuntime): boolean {
  if (!container.isTask) return false;
  const { programs } = toolboxOf(container);
  return !programs.includes(container.command[0]?.split("/").pop() ?? "");
}

/** Whether a container's main process is a program that does something with what clients type. */
function readsTerminal(container: ContainerRuntime): boolean {
  if (!container.terminal || container.behaviour) return false;
  const { programs, flavour } = toolboxOf(container);
  const [program] = container.command;
  const isShell = flavour === "busybox" || /(^|\/)(debian|ubuntu|bash)([:@]|$)/.test(container.image);
  return program === undefined ? isShell : programs.includes(program.split("/").pop() ?? "");
}
