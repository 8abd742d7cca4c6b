import { type ContainerRuntime, mountOf, normalized, type PodSandbox } from "@microremed/sim-machine";
import type { Command } from "../container/command.types.ts";

/** The disk of a node, and what others have on it, KiB. */
const nodeDisk = { size: 100 << 20, used: 32 << 20 };

interface FileSystem {
  readonly device: string;
  readonly mount: string;
  /** KiB. */
  readonly size: number;
  readonly used: number;
}

/** The overlay at the root and every mount: a volume with a size of its own is a device, all others are on the node's disk. */
function fileSystems({ volumes }: PodSandbox, { mounts, ioFaults }: ContainerRuntime): FileSystem[] {
  const mounted = [...mounts].map(([mount, name]): FileSystem => {
    const volume = volumes.get(name);
    const stored = Math.ceil((volume?.bytes ?? 0) / 1024);
    // toda mounts itself over the path.
    const isFaulted = ioFaults.some(({ volumePath }) => volumePath === mount);
    const own = volume?.capacity;
    return {
      device: isFaulted
        ? "fuse"
        : volume?.isInMemory
          ? "tmpfs"
          : own === undefined
            ? "/dev/sda1"
            : "/dev/vdb",
      mount,
      size: own === undefined ? nodeDisk.size : Math.floor(own / 1024),
      used: own === undefined ? nodeDisk.used + stored : stored,
    };
  });
  return [{ device: "overlay", mount: "/", ...nodeDisk }, ...mounted];
}

/** As `-h` shows a size: `1.5M`, `256M`. */
function inWords(kib: number): string {
  let value = kib;
  const units = ["K", "M", "G", "T"];
  while (value >= 1024 && units.length > 1) {
    value /= 1024;
    units.shift();
  }
  return `${kib === 0 ? "0" : value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${kib === 0 ? "" : units[0]}`;
}

/** `df [-hkP] [PATH...]`: of all file systems, or of those that the paths are on. */
export const df: Command = async ({ args, container, sandbox, out, err, cwd, files, flavour }) => {
  const paths = args.filter((arg) => !arg.startsWith("-"));
  const isHuman = args.some((arg) => /^-\w*h/.test(arg));
  const all = fileSystems(sandbox, container);
  const missing: string[] = [];
  for (const path of paths) if (!(await files.exists(files.resolvePath(cwd, path)))) missing.push(path);
  for (const path of missing)
    err(`df: ${flavour === "gnu" ? path : `${path}: can't find mount point`}: No such file or directory\n`);
  const shown =
    paths.length === 0
      ? all
      : paths
          .filter((path) => !missing.includes(path))
          .flatMap((path) => {
            const mount = mountOf(container, normalized(path, cwd)) ?? "/";
            return all.filter((one) => one.mount === mount);
          });
  if (shown.length === 0) return 1;
  const size = (kib: number): string => (isHuman ? inWords(kib) : String(kib)).padStart(9);
  out(`Filesystem     ${isHuman ? "     Size" : "1K-blocks"}      Used Available Use% Mounted on\n`);
  for (const one of shown) {
    const free = one.size - one.used;
    const share = `${Math.ceil((100 * one.used) / Math.max(1, one.size))}%`;
    out(
      `${one.device.padEnd(14)} ${size(one.size)} ${size(one.used)} ${size(Math.max(0, free))} ${share.padStart(4)} ${one.mount}\n`,
    );
  }
  return missing.length > 0 ? 1 : 0;
};
