import { oncePer } from "@microremed/core";
import type { ContainerRuntime, Process } from "@microremed/sim-machine";

/** Jiffies per second, as every Linux shows them to programs. */
const hertz = 100;
/** A node runs for a day before its first container. */
const upBeforeMs = 86_400_000;

/** When the node of a container started, cluster time, ms. */
export const bootedAt = ({ startedAt }: ContainerRuntime): number => startedAt - upBeforeMs;

/** A file of /proc/<pid>; undefined: there is no such process or file. */
export function processFile(path: string, container: ContainerRuntime): Uint8Array | undefined {
  const found = fileOfProcess(path, container);
  if (!found) return undefined;
  const { process, file } = found;
  if (file === "environ") return environOf(container.env);
  return Buffer.from(file === "cmdline" ? process.command.replaceAll(" ", "\0") : statOf(process, container));
}

/** Whether `processFile` has a file. */
export const hasProcessFile = (path: string, container: ContainerRuntime): boolean =>
  fileOfProcess(path, container) !== undefined;

function fileOfProcess(path: string, { processes }: ContainerRuntime) {
  const [, pid, file = ""] = /^\/proc\/(\d+)\/(\w+)$/.exec(path) ?? [];
  if (pid === undefined) return undefined;
  const process = processes.find((one) => one.pid === Number(pid));
  return process && filesOf(process).includes(file) ? { process, file } : undefined;
}

const filesOf = ({ pid }: Process): readonly string[] =>
  pid === 1 ? ["cmdline", "stat", "environ"] : ["cmdline", "stat"];

/** Names directly below /proc and /proc/<pid>; none below any other path. */
export function processChildren(path: string, { processes }: ContainerRuntime): readonly string[] {
  if (path === "/proc") return processes.map(({ pid }) => String(pid));
  const process = processes.find(({ pid }) => path === `/proc/${pid}`);
  return process ? filesOf(process) : [];
}

/** proc_pid_environ(5): what the container's program started with. There may be some variables for every Service. */
const environOf = oncePer(
  (env: ContainerRuntime["env"]): Uint8Array =>
    new TextEncoder().encode(
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\0`)
        .join(""),
    ),
);

export const isProcessDirectory = (path: string, { processes }: ContainerRuntime): boolean =>
  processes.some(({ pid }) => path === `/proc/${pid}`);

/** The program that a process runs, for a link `/proc/<pid>/exe`; undefined for any other path. */
export function programAt(path: string, { processes }: ContainerRuntime): string | undefined {
  const [, pid] = /^\/proc\/(\d+)\/exe$/.exec(path) ?? [];
  const program = processes.find((one) => one.pid === Number(pid))?.command.split(" ")[0];
  return program === undefined || program.startsWith("/") ? program : `/usr/bin/${program}`;
}

/** As proc_pid_stat(5) has it: runs, sleeps, or is stopped. */
export function stateOf({ cpuDemand, stoppedDemand }: Process): "R" | "S" | "T" {
  if (stoppedDemand !== undefined) return "T";
  return cpuDemand > 0 ? "R" : "S";
}

/** proc_pid_stat(5), up to `starttime`; every process from outside leads a session, as the runtime starts it. */
function statOf(process: Process, container: ContainerRuntime): string {
  const { pid, command, startedAt, orphaned } = process;
  const name = (command.split(" ")[0]?.split("/").pop() ?? "").slice(0, 15);
  const parent = orphaned ? 1 : 0;
  const started = Math.round(((startedAt - bootedAt(container)) / 1000) * hertz);
  // Between `session` and `starttime`: terminal, flags, faults, times, priority, threads. None of them is modelled.
  return `${pid} (${name}) ${stateOf(process)} ${parent} ${pid} ${pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${started}\n`;
}
