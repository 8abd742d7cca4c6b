import { chownSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { terminal } from "@microremed/core";

/**
 * Where this process may make control groups that bound memory: a directory of version 1 or 2 of the kernel's, which it
 * may write. The kernel counts everything there: anonymous memory, shared or not, files in memory, memfd, pipes, sockets.
 */
export interface MemoryGroups {
  readonly version: 1 | 2;
  readonly directory: string;
}

/** The control group of one run. Nothing of it is left when it is disposed, provided that all its processes have ended. */
export interface MemoryGroup extends AsyncDisposable {
  /** Puts a process there before it does anything. Throws `missing-tool` (terminal) when the kernel refuses. */
  add(pid: number): void;
  /** Whether the kernel has killed a process of it because of its memory. */
  hasKilled(): boolean;
}

type User = { readonly uid: number; readonly gid: number } | undefined;

/** What to write, file by file, for a bound in bytes; those after `?` exist only where the kernel has them. */
const bounds: Readonly<Record<MemoryGroups["version"], (bytes: string) => Record<string, string>>> = {
  // Memory with swap may not be bounded lower than memory alone, so it comes second.
  1: (bytes) => ({
    "memory.limit_in_bytes": bytes,
    "?memory.memsw.limit_in_bytes": bytes,
    "?memory.kmem.tcp.limit_in_bytes": bytes,
  }),
  2: (bytes) => ({ "memory.max": bytes, "?memory.swap.max": "0", "?memory.oom.group": "1" }),
};
/** Where the kernel says how many processes it has killed. */
const kills = { 1: "memory.oom_control", 2: "memory.events" } as const;

const prefix = "microremed-run-";
let made = 0;

/** By trying it out: a bounded group must be made, entered and removed. Undefined: this machine does not permit it. */
export async function findMemoryGroups(
  mountInfo = readText("/proc/self/mountinfo"),
  own = readText("/proc/self/cgroup"),
): Promise<MemoryGroups | undefined> {
  for (const groups of placesOf(mountInfo, own)) {
    try {
      removeOrphans(groups);
      if (groups.version === 2) delegateMemory(groups.directory);
      await using _tried = openMemoryGroup(groups, 2 ** 30, undefined);
      return groups;
    } catch {
      // Read-only, not delegated to this user, or without the memory controller.
    }
  }
  return undefined;
}

/** The groups that this process itself is in, on the hierarchies that may bound memory. */
function placesOf(mountInfo: string, own: string): MemoryGroups[] {
  const lines = own.split("\n").map((line) => line.split(":"));
  const pathOf = (isIt: (controllers: string) => boolean): string | undefined =>
    lines
      .find(([, controllers]) => controllers !== undefined && isIt(controllers))
      ?.slice(2)
      .join(":");
  return mountInfo.split("\n").flatMap((line): MemoryGroups[] => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", mount = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    const version =
      type === "cgroup2" ? 2 : type === "cgroup" && options.split(",").includes("memory") ? 1 : 0;
    if (version === 0) return [];
    const path = pathOf((some) => (version === 2 ? some === "" : some.split(",").includes("memory")));
    // Through a mount of a part of the tree, only what is below that part can be seen.
    const isBelow = path !== undefined && (root === "/" || path === root || path.startsWith(`${root}/`));
    if (!isBelow) return [];
    return [{ version, directory: join(mount, root === "/" ? path : path.slice(root.length)) }];
  });
}

/** Groups below may bound memory only if this one hands the controller on, which it may not while it has processes. */
function delegateMemory(directory: string): void {
  const controllers = readText(join(directory, "cgroup.subtree_control"));
  if (controllers.split(/\s+/).includes("memory")) return;
  const processes = readText(join(directory, "cgroup.procs")).trim().split("\n");
  if (processes.length === 1 && processes[0] === String(process.pid)) {
    const leaf = join(directory, "microremed-executor");
    mkdirSync(leaf, { recursive: true });
    writeFileSync(join(leaf, "cgroup.procs"), String(process.pid));
  }
  writeFileSync(join(directory, "cgroup.subtree_control"), "+memory");
}

/**
 * Makes the group of one run. `user`: may enter it too, as the warm runner does in the place of a run's first process.
 * Throws `missing-tool` (terminal): a run without the bound that was found to work is no run.
 */
export function openMemoryGroup(
  { version, directory }: MemoryGroups,
  maxBytes: number,
  user: User,
): MemoryGroup {
  const path = join(directory, `${prefix}${process.pid}-${made++}`);
  const file = (name: string): string => join(path, name);
  try {
    mkdirSync(path);
    for (const [name, value] of Object.entries(bounds[version](String(maxBytes)))) {
      if (name.startsWith("?")) writeIfThere(file(name.slice(1)), value);
      else writeFileSync(file(name), value, { flag: "r+" });
    }
    if (user) chownSync(file("cgroup.procs"), user.uid, user.gid);
    killsIn(readFileSync(file(kills[version]), "utf8"));
  } catch (error) {
    remove(path);
    throw refused(`control group ${path}`, error);
  }
  return {
    add(pid) {
      try {
        writeFileSync(file("cgroup.procs"), String(pid), { flag: "r+" });
      } catch (error) {
        throw refused(`process ${pid} in control group ${path}`, error);
      }
    },
    hasKilled: () => killsIn(readText(file(kills[version])) || "oom_kill 0") > 0,
    async [Symbol.asyncDispose]() {
      // What was killed a moment ago may still be on its way out; what is left then goes with the next start.
      for (let tried = 0; tried < 40 && !remove(path); tried++) await sleep(50);
    },
  };
}

const refused = (what: string, error: unknown) =>
  terminal(
    "missing-tool",
    `the kernel refused ${what}, which bounds the memory of a run; is its directory still writable?`,
    {},
    error,
  );

/** Throws where the kernel does not count them: a run that it killed would then seem to have failed by itself. */
function killsIn(text: string): number {
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  if (count === undefined) throw new Error("the kernel does not count the processes that it kills");
  return Number(count);
}

function writeIfThere(path: string, value: string): void {
  try {
    writeFileSync(path, value, { flag: "r+" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Groups of harnesses that were killed, with their runs. */
function removeOrphans({ directory }: MemoryGroups): void {
  for (const name of readdirSync(directory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (Number.isInteger(pid) && readText(`/proc/${pid}/stat`) === "") remove(join(directory, name));
  }
}

/** False: something is still in it. */
function remove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
