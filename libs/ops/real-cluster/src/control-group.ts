import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeControlGroup } from "@microremed/deploy";
import { whenOrphaned } from "@microremed/servers";
import { exists } from "./exists.ts";

const root = "/sys/fs/cgroup";

/**
 * As much of a busy machine as 16 programs get: otherwise what a node starts gets so little beside tests of other kinds that
 * its probes fail.
 */
const cpuShare = 16;

/** The control group of a node. */
export interface ControlGroup extends AsyncDisposable {
  /** The words before a program's own that start it in the group, for its share of the processors. */
  readonly enter: readonly string[];
}

/**
 * A control group of this name in every hierarchy: the parent of a node's pods, and of its own programs. Disposing removes
 * it, when nothing runs in it; so does the end of this process.
 */
export async function createControlGroup(name: string): Promise<ControlGroup> {
  const dirs = (await hierarchies()).map((hierarchy) => join(hierarchy, name));
  for (const dir of dirs) await mkdir(dir, { recursive: true });
  const guard = whenOrphaned(removeTrees, dirs);
  const programs = await Promise.all(dirs.map(giveShare));
  const [own] = programs.filter((dir) => dir !== undefined);
  return {
    enter: own === undefined ? [] : ["sh", "-c", 'echo $$ >"$0" && exec "$@"', join(own, "cgroup.procs")],
    async [Symbol.asyncDispose]() {
      guard.release();
      for (const dir of dirs) await removeControlGroup(dir);
    },
  };
}

/** Where the group bounds processors: makes a group in it for programs, beside the one that the kubelet makes for pods. */
async function giveShare(dir: string): Promise<string | undefined> {
  const settings = [
    ["cpu.shares", 1024],
    ["cpu.weight", 100],
  ] as const;
  for (const [file, usual] of settings)
    if (await exists(join(dir, file))) {
      await writeFile(join(dir, file), String(usual * cpuShare));
      const programs = join(dir, "programs");
      await mkdir(programs);
      return programs;
    }
  return undefined;
}

/** Processes of a machine end a moment after its keeper. What is there later is the next cluster's. */
const removeTrees = `for _ in 1 2 3 4 5; do
  sleep 2
  find "$@" -depth -type d -exec rmdir {} \\;
  for dir; do [ ! -e "$dir" ] || continue 2; done
  exit
done`;

/** Version 2 has one hierarchy, version 1 has one for each controller. */
async function hierarchies(): Promise<string[]> {
  if (await exists(join(root, "cgroup.controllers"))) return [root];
  const places = (await readdir(root)).map((name) => join(root, name));
  // A folder beside them is no hierarchy.
  const isOne = await Promise.all(places.map((place) => exists(join(place, "cgroup.procs"))));
  return places.filter((_, index) => isOne[index]);
}
