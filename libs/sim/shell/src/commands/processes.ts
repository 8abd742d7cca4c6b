import {
  type ContainerRuntime,
  exitCodeOnTerm,
  killToda,
  nextPid,
  type Process,
  type SeenProcess,
  seenProcesses,
  todaOwner,
  unmountToda,
} from "@microremed/sim-machine";
import type { Command, CommandContext } from "../container/command.types.ts";
import { stateOf } from "../container/process-files.ts";

const signals: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  TERM: 15,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
};
const going = signals["CONT"];
const stopping = [signals["STOP"], signals["TSTP"]];

/** Stops processes, lets them go on, or ends them: a supervisor takes its workers along, and PID 1 its container. */
function send(
  { deps, sandbox }: CommandContext,
  { process: target, container }: SeenProcess,
  signal: number,
): void {
  if (signal === 0 || !container) return;
  if (signal === going) {
    target.cpuDemand = target.stoppedDemand ?? target.cpuDemand;
    delete target.stoppedDemand;
    return;
  }
  if (stopping.includes(signal)) {
    // The kernel delivers neither to PID 1 from inside its namespace.
    if (target.pid === 1) return;
    target.stoppedDemand ??= target.cpuDemand;
    target.cpuDemand = 0;
    return;
  }
  if (target.pid === 1) {
    // From inside its PID namespace no process can SIGKILL the init process, nor end it with a signal it ignores.
    const code = exitCodeOnTerm(container);
    if (signal !== 9 && code !== undefined) deps.killContainer(sandbox, container, code);
    return;
  }
  if (target.kind === "main") {
    // A main process that is not the first of its namespace is a process as any other.
    deps.killContainer(sandbox, container, exitCodeOnTerm(container) ?? 128 + signal);
    return;
  }
  if (target.owner === todaOwner) {
    (signal === 9 ? killToda : unmountToda)(container);
    return;
  }
  const leads = /^(stress-ng --|memStress --)/.test(target.command);
  const left = container.processes.filter(
    (item) => item !== target && !(leads && item.owner === target.owner && item.kind === target.kind),
  );
  container.processes.splice(0, container.processes.length, ...left);
}

const seenBy = ({ sandbox, container }: CommandContext): readonly SeenProcess[] =>
  seenProcesses(sandbox, container);

/** All processes, with the one that a shell has started to list them, or has become. */
function withItself(context: CommandContext): readonly SeenProcess[] {
  const { sandbox, container, pid, name, args, deps } = context;
  const seen = seenBy(context);
  const shell = seen.find(({ process }) => process.pid === pid);
  if (!shell || programName(shell.process) === name) return seen;
  const command = [name, ...args].join(" ");
  if (endsWith(shell.process, name))
    return seen.map((one) => (one === shell ? { ...one, process: { ...one.process, command } } : one));
  const process: Process = {
    ...{ pid: nextPid(sandbox, container), command, kind: "exec", user: "root" },
    ...{ startedAt: deps.loop.now(), cpuDemand: 0, memoryBytes: 0 },
  };
  return [...seen, { process, container }];
}

/** Whether a program is the last of a script: a shell does not start it, but becomes it. */
function endsWith({ command }: Process, program: string): boolean {
  const [, script = ""] = /^\S+ -c (.*)$/s.exec(command) ?? [];
  const last =
    script
      .trimEnd()
      .split(/;|\n|&&|\|\|/)
      .at(-1) ?? "";
  return last.trim().split(/\s/)[0] === program && !/[|&]/.test(last);
}

function signalNumber(text: string): number | undefined {
  const name = text.toUpperCase().replace(/^SIG/, "");
  return /^\d+$/.test(name) ? Number(name) : signals[name];
}

/** Splits `-9`, `-KILL`, `-s KILL` from what follows. */
function splitSignal(args: readonly string[]): {
  readonly signal: number | undefined;
  readonly rest: readonly string[];
} {
  const [first = "", second = ""] = args;
  if (first === "-s" || first === "-n") return { signal: signalNumber(second), rest: args.slice(2) };
  if (/^-[A-Z0-9]+$/i.test(first) && signalNumber(first.slice(1)) !== undefined)
    return { signal: signalNumber(first.slice(1)), rest: args.slice(1) };
  return { signal: 15, rest: args };
}

/** Instead of a number: all processes but the first one and the one that asks. */
const everyOther = "-1";

export const kill: Command = (context) => {
  if (context.args[0] === "-l") {
    context.out(`${Object.keys(signals).join(" ")}\n`);
    return 0;
  }
  const { signal, rest } = splitSignal(context.args);
  if (signal === undefined || rest.length === 0) {
    context.err(
      signal === undefined
        ? `kill: bad signal name '${context.args[1]}'\n`
        : "kill: you need to specify whom to kill\n",
    );
    return 1;
  }
  let code = 0;
  for (const text of rest.filter((item) => item !== "--")) {
    const isMeant = ({ process: { pid } }: SeenProcess): boolean =>
      text === everyOther ? pid !== 1 && pid !== context.pid : pid === Number(text);
    const targets = seenBy(context).filter(isMeant);
    for (const target of targets) send(context, target, signal);
    if (targets.length === 0) {
      context.err(
        /^-?\d+$/.test(text)
          ? `kill: can't kill pid ${text}: No such process\n`
          : `kill: invalid number '${text}'\n`,
      );
      code = 1;
    }
  }
  return code;
};

const programName = (process: Process): string =>
  (process.command.split(" ")[0] ?? "").split("/").pop() ?? "";

/** `killall NAME` and `pkill [-f] PATTERN`. */
export const killByName: Command = (context) => {
  const { signal = 15, rest } = splitSignal(context.args);
  const full = rest.includes("-f");
  const names = rest.filter((arg) => !arg.startsWith("-"));
  const targets = seenBy(context).filter(
    ({ process }) =>
      process.kind !== "exec" &&
      names.some((name) =>
        context.name === "killall"
          ? programName(process) === name
          : (full ? process.command : programName(process)).includes(name),
      ),
  );
  for (const target of targets)
    if (seenBy(context).some(({ process }) => process === target.process)) send(context, target, signal);
  if (targets.length === 0 && context.name === "killall")
    context.err(`killall: ${names[0]}: no process killed\n`);
  return targets.length > 0 ? 0 : 1;
};

export const pgrep: Command = (context) => {
  const full = context.args.some((arg) => /^-\w*f/.test(arg));
  const pattern = context.args.find((arg) => !arg.startsWith("-")) ?? "";
  const found = seenBy(context).filter(
    ({ process }) =>
      process.kind !== "exec" && (full ? process.command : programName(process)).includes(pattern),
  );
  for (const { process } of found) context.out(`${process.pid}\n`);
  return found.length > 0 ? 0 : 1;
};

/** Share of the container's CPU that one process gets, cores. */
function coresOf(container: ContainerRuntime | undefined, process: Process): number {
  if (!container) return 0;
  const wanted = container.processes.reduce((sum, item) => sum + item.cpuDemand, 0);
  const rest = Math.max(0, container.usage.cpu);
  if (wanted === 0) return process.kind === "main" ? rest : 0;
  return (rest * process.cpuDemand) / wanted;
}

function cpuTime(container: ContainerRuntime | undefined, process: Process, now: number): string {
  const seconds = Math.floor((coresOf(container, process) * (now - process.startedAt)) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const kib = (bytes: number): number => Math.round(bytes / 1024);

/** `ps`: busybox's short table, or procps' `aux` and `-ef`. */
export const ps: Command = (context) => {
  const { args, flavour, deps, out, sandbox } = context;
  const all = withItself(context);
  const now = deps.loop.now();
  const memory = deps.nodeMemory(sandbox.nodeName);
  if (flavour === "busybox") {
    out("PID   USER     TIME  COMMAND\n");
    for (const { process, container } of all)
      out(
        `${String(process.pid).padStart(5)} ${process.user.padEnd(8)} ${cpuTime(container, process, now).padStart(5)} ${process.command}\n`,
      );
    return 0;
  }
  const wide = args.some((arg) => arg.includes("u"));
  out(
    wide
      ? "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
      : "UID          PID    PPID  C STIME TTY          TIME CMD\n",
  );
  for (const { process, container } of all) {
    const time = cpuTime(container, process, now);
    const start = new Date(process.startedAt).toISOString().slice(11, 16);
    const user = process.user.padEnd(8);
    out(
      wide
        ? `${user} ${String(process.pid).padStart(7)} ${(coresOf(container, process) * 100).toFixed(1).padStart(4)} ${((process.memoryBytes / memory) * 100).toFixed(1).padStart(4)} ${String(kib(process.memoryBytes) * 4).padStart(6)} ${String(kib(process.memoryBytes)).padStart(5)} ?        ${stateOf(process)}    ${start} ${time.padStart(6)} ${process.command}\n`
        : `${user} ${String(process.pid).padStart(7)} ${String(process.pid === 1 ? 0 : 1).padStart(7)} ${String(Math.round(coresOf(container, process) * 100)).padStart(2)} ${start} ?        00:0${time.padStart(5, "0")} ${process.command}\n`,
    );
  }
  return 0;
};

/** `top -bn1`. */
export const top: Command = ({ container, deps, sandbox, flavour, out }) => {
  const seen = seenProcesses(sandbox, container);
  const memory = deps.nodeMemory(sandbox.nodeName);
  const total = kib(memory);
  const used = Math.round(total * 0.45);
  const busy = Math.min(100, Math.round((container.usage.cpu / 4) * 100));
  const time = new Date(deps.loop.now()).toISOString().slice(11, 19);
  out(
    flavour === "busybox"
      ? `Mem: ${used}K used, ${total - used}K free, 0K shrd, 0K buff, 0K cached\nCPU: ${String(busy).padStart(3)}% usr   0% sys   0% nic ${String(100 - busy).padStart(3)}% idle   0% io   0% irq   0% sirq\nLoad average: ${container.usage.cpu.toFixed(2)} 0.20 0.15 1/512 4242\n  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND\n`
      : `top - ${time} up 1 day,  0 users,  load average: ${container.usage.cpu.toFixed(2)}, 0.20, 0.15\nTasks: ${String(seen.length).padStart(3)} total\n%Cpu(s): ${busy.toFixed(1)} us,  0.0 sy,  0.0 ni, ${(100 - busy).toFixed(1)} id\nMiB Mem : ${(total / 1024).toFixed(1)} total, ${((total - used) / 1024).toFixed(1)} free, ${(used / 1024).toFixed(1)} used\n\n    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n`,
  );
  const byUse = [...seen].sort((a, b) => coresOf(b.container, b.process) - coresOf(a.container, a.process));
  for (const { process, container: owner } of byUse) {
    const percent = coresOf(owner, process) * 100;
    const share = (process.memoryBytes / memory) * 100;
    const state = stateOf(process);
    out(
      flavour === "busybox"
        ? `${String(process.pid).padStart(5)} ${String(process.pid === 1 ? 0 : 1).padStart(5)} ${process.user.padEnd(8)} ${state}    ${String(kib(process.memoryBytes)).padStart(6)} ${String(Math.round(share)).padStart(3)}%   0 ${String(Math.round(percent / 4)).padStart(3)}% ${process.command}\n`
        : `${String(process.pid).padStart(7)} ${process.user.padEnd(9)} 20   0 ${String(kib(process.memoryBytes) * 4).padStart(7)} ${String(kib(process.memoryBytes)).padStart(6)}      0 ${state} ${percent.toFixed(1).padStart(5)} ${share.toFixed(1).padStart(5)}   ${cpuTime(container, process, deps.loop.now())}.00 ${programName(process)}\n`,
    );
  }
  return 0;
};
