import { variablesMark } from "./programs-script.ts";

/** A process of a container that is not of its first program's session. */
export interface Process {
  readonly pid: number;
  /** 0: it came from outside of the container. */
  readonly parent: number;
  /** Since its start, s. */
  readonly age: number;
}

/** Linux shows times to programs in this many jiffies per second, whatever its own clock is. */
const hertz = 100;

/**
 * Reads what `processesScript` prints: the processes of another session than the first's, by pid. The runtime gives a
 * session to every program that comes from outside, as with `kubectl exec`, and what that program leaves in the
 * background stays in it. Undefined: it did not print what it should.
 */
export function parseProcesses(output: string): ReadonlyMap<number, Process> | undefined {
  const up = Number(/^\d+\.\d+(?= )/.exec(output)?.[0]);
  const all = statLines(output);
  const sessions = new Map(all.map(({ pid, session }) => [pid, session]));
  const first = sessions.get(1);
  if (!Number.isFinite(up) || first === undefined) return undefined;
  return new Map(
    all
      .filter(({ session }) => session !== first)
      .map(({ pid, parent, started }) => [pid, { pid, parent, age: up - started / hertz }]),
  );
}

/** Variables of a program by name. */
export interface Variables {
  /** Undefined: it has none of that name. */
  readonly get: (name: string) => string | undefined;
  /** None: they cannot be read. */
  readonly keys: () => Iterable<string>;
}

/**
 * The variables that the first program started with, by what the same script prints; none: they cannot be read. Each is
 * sought when it is asked for: there are some for every Service, of which hardly any is.
 */
export function parseVariables(output: string): Variables {
  const at = output.indexOf(variablesMark);
  const words = at < 0 ? "" : `\0${output.slice(at + variablesMark.length + 1)}\0`;
  return {
    get(name) {
      const start = words.lastIndexOf(`\0${name}=`) + name.length + 2;
      return start < name.length + 2 ? undefined : words.slice(start, words.indexOf("\0", start));
    },
    keys: () => {
      const names = words.split("\0").map((word) => word.slice(0, Math.max(0, word.indexOf("="))));
      return new Set(names.filter((name) => name !== ""));
    },
  };
}

/** What proc_pid_stat(5) says of each process. */
function statLines(printed: string) {
  // Values of variables may seem to be processes.
  const [output = ""] = printed.split(variablesMark, 1);
  // A program's name is in brackets and may hold anything, also a line that seems to be another process.
  const lines = output.matchAll(/^(\d+) \([\s\S]*?\) ([A-Za-z]) (\d+) -?\d+ (-?\d+)((?: -?\d+){16})/gm);
  return [...lines].map(([, pid, state = "", parent, session = "", rest = ""]) => ({
    pid: Number(pid),
    state,
    parent: Number(parent),
    session,
    started: Number(rest.split(" ").at(-1)),
  }));
}

/** Processes of any session that a signal has stopped, by what the same script prints: none does so by itself. */
export function stoppedProcesses(output: string): number[] {
  return statLines(output).flatMap(({ pid, state }) => (state === "T" ? [pid] : []));
}

/** A health check by exec, or another question of the harness, is over by then, s. */
const longestCheckSeconds = 10;

/**
 * Processes that came from outside and stayed, or were left in the background, with all that they have started.
 * `checkSeconds`: the longest time limit of the container's health checks; "any": of whatever age.
 */
export function leftProcesses(others: ReadonlyMap<number, Process>, checkSeconds: number | "any"): Process[] {
  return [...others.values()].filter((one) => {
    const top = eldest(one, others);
    // Its parent is of the first program's session: the image's own doing.
    if (top.parent > 1) return false;
    if (checkSeconds === "any") return true;
    return top.parent === 1 || top.age >= longestCheckSeconds + checkSeconds;
  });
}

/** The first of those that a process comes from; bounded, because numbers are given again. */
function eldest(one: Process, others: ReadonlyMap<number, Process>): Process {
  let top = one;
  for (let steps = others.size; steps > 0; steps--) top = others.get(top.parent) ?? top;
  return top;
}
