import { readdirSync, readFileSync, statfsSync } from "node:fs";

const PAGE_BYTES = 4096;
/** What the kernel keeps of a file in memory beyond its content: an inode and its name. */
const FILE_BYTES = 1536;

/**
 * Memory that a sandbox uses, in bytes: private memory of its processes, and files, which are all in memory.
 * `pid` is any of its processes; its own view of /proc lists exactly these. procfs never waits for a
 * disk, so this is read at once. Zero when the sandbox has just ended, or does not let itself be seen.
 */
export function sandboxMemory(pid: number, directories: readonly string[]): number {
  const root = `/proc/${pid}/root`;
  const processes = entries(`${root}/proc`).filter((name) => /^\d+$/.test(name));
  const ofProcesses = processes.map((name) => privateBytes(`${root}/proc/${name}/statm`));
  const ofFiles = directories.map((directory) => fileBytes(root + directory));
  return [...ofProcesses, ...ofFiles].reduce((total, bytes) => total + bytes, 0);
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function privateBytes(statm: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(statm, "utf8").split(" ").map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

function fileBytes(directory: string): number {
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(directory);
    return (blocks - bfree) * bsize + (files - ffree) * FILE_BYTES;
  } catch {
    return 0;
  }
}
