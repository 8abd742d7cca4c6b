import { access, mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { whenOrphaned } from "@microremed/servers";
import { removeControlGroup } from "./remove-control-group.ts";

/** Processes whose memory is counted, and bounded, together: a container's. */
export interface MemoryGroup {
  /** The words before a program's own that start it as one of the group. */
  readonly enter: readonly string[];
  /** Bytes in use without what the kernel could drop, as the kubelet counts them. */
  used(): Promise<number>;
  /** How often the kernel killed one of them with its OOM killer. */
  kills(): Promise<number>;
}

/** Makes groups; they go away with it, once their processes have ended. */
export interface MemoryBounds extends AsyncDisposable {
  group(name: string, limitBytes: number): Promise<MemoryGroup>;
}

/** The files of a version of control groups. */
interface Version {
  readonly root: string;
  readonly limit: string;
  readonly usage: string;
  readonly inactive: RegExp;
  readonly kills: { readonly file: string; readonly line: RegExp };
}

const versions: readonly Version[] = [
  {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    inactive: /^total_inactive_file (\d+)$/m,
    kills: { file: "memory.oom_control", line: /^oom_kill (\d+)$/m },
  },
  {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    inactive: /^inactive_file (\d+)$/m,
    kills: { file: "memory.events", line: /^oom_kill (\d+)$/m },
  },
];

/** Of this process: each has a group of its own. */
let machines = 0;

/** Control groups of this machine, of either version; undefined where we may not make any (without root). */
export async function createMemoryBounds(): Promise<MemoryBounds | undefined> {
  machines += 1;
  for (const version of versions) {
    const top = join(version.root, `microremed-rehearsal-${process.pid}-${machines}`);
    try {
      // Else it is the folder of version 1's hierarchies.
      await access(join(version.root, "cgroup.procs"));
      await mkdir(top);
    } catch {
      continue;
    }
    // Version 2: groups below may bound memory too. Version 1 has no such file, and needs none.
    await writeFile(join(top, "cgroup.subtree_control"), "+memory").catch(() => undefined);
    if (await hasFile(top, version.limit)) return boundsIn(top, version);
    await rmdir(top);
  }
  return undefined;
}

const hasFile = async (directory: string, name: string): Promise<boolean> =>
  (await readdir(directory)).includes(name);

function boundsIn(top: string, version: Version): MemoryBounds {
  const guard = whenOrphaned(removeGroups, [top]);
  return {
    async group(name, limitBytes) {
      const directory = join(top, name);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, version.limit), String(limitBytes));
      const read = (file: string): Promise<string> => readFile(join(directory, file), "utf8").catch(() => "");
      const numberIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0);
      return {
        enter: ["sh", "-c", `echo $$ >'${directory}/cgroup.procs' && exec "$@"`, "sh"],
        used: async () => {
          const [usage, stat] = await Promise.all([read(version.usage), read("memory.stat")]);
          return Math.max(0, Number(usage) - numberIn(stat, version.inactive));
        },
        kills: async () => numberIn(await read(version.kills.file), version.kills.line),
      };
    },
    [Symbol.asyncDispose]: async () => {
      guard.release();
      await removeControlGroup(top);
    },
  };
}

/** Processes of a killed rehearsal end a few seconds after it. */
const removeGroups = 'sleep 8; rmdir "$1"/*/; rmdir "$1"';
