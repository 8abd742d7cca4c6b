import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";

const KIB = 1024;
/** What the kernel keeps of a file in memory beyond its content: an inode and its name. */
const FILE_BYTES = 1536;
/** Of an open descriptor: where a user has many pipes, the kernel gives each two pages, and either end keeps them. */
const DESCRIPTOR_BYTES = 8192;
/** Runs have a handful of sockets, whose buffers are not worth counting; those beyond are counted as full. */
const FREE_SOCKETS = 64;
/** In case the kernel does not show its own: those of kernels since 2.6.17. */
const DEFAULT_SOCKET_BYTES = (6 + 4) * 2 ** 20;

/**
 * Memory that a sandbox uses, in bytes: of its processes (also what was swapped out, and page tables), of files, which are all
 * in memory, and of what descriptors and sockets may hold. Memory that is of none of them is not to be had inside: the
 * filter of system calls refuses memfd, System V IPC, shared anonymous memory and message queues. `pid` is any of
 * its processes; its own view of /proc lists exactly these. procfs never waits for a disk, so this is read at once. Zero
 * while the process is not in its sandbox yet (bubblewrap names it before that) and when the sandbox has just ended.
 */
export function sandboxMemory(pid: number, directories: readonly string[]): number {
  const root = `/proc/${pid}/root`;
  if (!isElsewhere(root)) return 0;
  const processes = entries(`${root}/proc`).filter((name) => /^\d+$/.test(name));
  const ofProcesses = processes.map((name) => processBytes(`${root}/proc/${name}`));
  const ofFiles = directories.map((directory) => fileBytes(root + directory));
  const ofSockets = Math.max(0, socketsOf(pid) - FREE_SOCKETS) * largestSocketBytes();
  return [...ofProcesses, ...ofFiles, ofSockets].reduce((total, bytes) => total + bytes, 0);
}

/**
 * Whether this is another root directory than ours. Through ours, all processes and disks of the machine would be counted:
 * those of a process before it enters its sandbox, or of another one that has got the number of one that has ended.
 */
function isElsewhere(root: string): boolean {
  try {
    const [theirs, ours] = [statSync(root), statSync("/")];
    return theirs.dev !== ours.dev || theirs.ino !== ours.ino;
  } catch {
    return false;
  }
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** A file of procfs; empty when what it describes has ended. */
function readNow(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Pages of files are counted with the files, so only what belongs to the process itself is added up. */
function processBytes(directory: string): number {
  const status = readNow(`${directory}/status`);
  const kib = ["RssAnon", "VmSwap", "VmPTE"].map((name) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0),
  );
  const own = kib.reduce((total, one) => total + one, 0) * KIB;
  return own + entries(`${directory}/fd`).length * DESCRIPTOR_BYTES;
}

function fileBytes(directory: string): number {
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(directory);
    return (blocks - bfree) * bsize + (files - ffree) * FILE_BYTES;
  } catch {
    return 0;
  }
}

/** Sockets of all kinds in the network namespace of a process, also those on their way from one process to another. */
function socketsOf(pid: number): number {
  return Number(/^sockets: used (\d+)/m.exec(readNow(`/proc/${pid}/net/sockstat`))?.[1] ?? 0);
}

/** What one socket may hold to send and to be read, as the kernel's settings are. */
function largestSocketBytes(): number {
  const largest = ["tcp_rmem", "tcp_wmem"].map((name) =>
    Number(readNow(`/proc/sys/net/ipv4/${name}`).trim().split(/\s+/)[2] ?? 0),
  );
  return largest.reduce((total, bytes) => total + bytes, 0) || DEFAULT_SOCKET_BYTES;
}
