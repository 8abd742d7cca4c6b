import {
  type ContainerRuntime,
  type ExecRequest,
  nextPid,
  type PodSandbox,
  type Process,
} from "@microremed/sim-machine";
import type { ShellDeps } from "./container/shell-deps.types.ts";

/** Why a running exec was ended from outside. */
export class ExecEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.name = "ExecEnded";
    this.exitCode = exitCode;
  }
}

/** How often a running exec checks whether its container still runs, ms. */
const checkMs = 250;

export interface ExecSession extends Disposable {
  /** Aborted when the client goes away or the container ends. */
  readonly signal: AbortSignal;
  readonly pid: number;
  end(reason: ExecEnded): void;
}

/** Puts an exec'd process into a container for as long as it runs; it dies with the container. */
export function openSession(
  { loop }: ShellDeps,
  sandbox: PodSandbox,
  container: ContainerRuntime,
  {
    command,
    signal: client,
    orphaned,
    isMain,
  }: Pick<ExecRequest, "command" | "signal" | "orphaned" | "isMain">,
): ExecSession {
  const controller = new AbortController();
  const process = loop.keep<Process>({
    pid: nextPid(sandbox, container),
    command: command.join(" ").slice(0, 4096),
    kind: "exec",
    user: "root",
    startedAt: loop.now(),
    cpuDemand: 0,
    memoryBytes: 0,
    ...(orphaned && { orphaned }),
  });
  if (!isMain) container.processes.push(process);
  const end = (reason: unknown): void => controller.abort(reason);
  const leave = (): void => end(new ExecEnded(129, "the client went away"));
  if (client.aborted) leave();
  client.addEventListener("abort", leave, { once: true });
  const stopChecking = loop.every(checkMs, "exec watch", () => {
    const alive = sandbox.containers.get(container.name) === container;
    if (!alive || !(isMain || container.processes.includes(process)))
      end(new ExecEnded(137, "the container ended"));
  });
  const stop = (): void => {
    stopChecking();
    const at = container.processes.indexOf(process);
    if (at >= 0) container.processes.splice(at, 1);
  };
  // What was typed cannot be taken back: the process is not there when the cluster goes back to a time when it ran.
  const stopFollowing = loop.onRestore(() => {
    stop();
    end(new ExecEnded(137, "the cluster was put back to an earlier state"));
  });
  return {
    signal: controller.signal,
    pid: isMain ? (container.processes[0]?.pid ?? 1) : process.pid,
    end,
    [Symbol.dispose]() {
      stop();
      stopFollowing();
      client.removeEventListener("abort", leave);
    },
  };
}
