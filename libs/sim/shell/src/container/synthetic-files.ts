import { createCipheriv, createHash } from "node:crypto";
import {
  type ContainerRuntime,
  chaosDns,
  kubeletHosts,
  type PodSandbox,
  resolvConf,
} from "@microremed/sim-machine";
import { backgroundCommand } from "./background-command.ts";
import {
  bootedAt,
  hasProcessFile,
  isProcessDirectory,
  processChildren,
  processFile,
} from "./process-files.ts";

/** What a container's /proc, /sys and the kubelet's own /etc files are made from. */
export interface SyntheticWorld {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly now: number;
  readonly nodeMemory: number;
  readonly availableMemory: number;
  readonly programs: readonly string[];
  /** A number for what is random: another one each time. */
  random(): number;
}

const directories = [
  "/bin",
  "/dev",
  "/etc",
  "/home",
  "/opt",
  "/proc",
  "/root",
  "/run",
  "/sys",
  "/sys/fs",
  "/sys/fs/cgroup",
  "/tmp",
  "/usr",
  "/usr/bin",
  "/usr/local",
  "/usr/local/bin",
  "/var",
  "/var/log",
  "/var/run",
];

/** A node's memory as its kernel counts it, bytes. Part of what programs may have holds files until then. */
export function memoryOf(total: number, available: number) {
  const files = Math.min(available, total * 0.15);
  return { total, available, free: available - files };
}

type Maker = (world: SyntheticWorld) => string;

const makers: Readonly<Record<string, Maker>> = {
  "/etc/resolv.conf": ({ sandbox }) => resolvConf(sandbox, sandbox.asksChaosDns ? chaosDns : undefined),
  "/etc/hosts": ({ sandbox }) => (sandbox.hosts ?? kubeletHosts(sandbox, [])).text.replace(/\n$/, ""),
  "/etc/hostname": ({ sandbox }) => sandbox.hostname,
  "/etc/passwd": () => "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin",
  "/proc/meminfo": (world) => {
    const { total, free, available } = memoryOf(world.nodeMemory, world.availableMemory);
    const line = (bytes: number): string => `${String(Math.round(bytes / 1024)).padStart(8)} kB`;
    return [
      `MemTotal:       ${line(total)}`,
      `MemFree:        ${line(free)}`,
      `MemAvailable:   ${line(available)}`,
      "Buffers:               0 kB",
      `Cached:         ${line(available - free)}`,
      "SwapTotal:             0 kB",
      "SwapFree:              0 kB",
    ].join("\n");
  },
  "/proc/cpuinfo": () =>
    [0, 1, 2, 3]
      .map((cpu) => `processor\t: ${cpu}\nmodel name\t: Virtual CPU @ 2.50GHz\ncpu MHz\t\t: 2500.000\n`)
      .join("\n"),
  "/proc/loadavg": ({ container }) => `${container.usage.cpu.toFixed(2)} 0.20 0.15 1/512 4242`,
  "/proc/uptime": ({ container, now }) => `${((now - bootedAt(container)) / 1000).toFixed(2)} 0.00`,
  "/sys/fs/cgroup/cpu.max": ({ container: { cpuLimit } }) =>
    cpuLimit === undefined ? "max 100000" : `${Math.round(Math.max(0.01, cpuLimit) * 100_000)} 100000`,
  "/sys/fs/cgroup/cpu.stat": ({ container: { usage } }) =>
    [
      `usage_usec ${Math.round(usage.cpuTotal * 1e6)}`,
      `throttled_usec ${Math.round(usage.throttledSecondsTotal * 1e6)}`,
    ].join("\n"),
  "/sys/fs/cgroup/memory.max": ({ container }) => String(container.memoryLimit ?? "max"),
  "/sys/fs/cgroup/memory.current": ({ container }) => String(Math.round(container.usage.memory)),
};

const files: ReadonlyMap<string, Maker> = new Map(Object.entries(makers));

/** Reads as empty; what is written to it is gone. */
export const nullDevice = "/dev/null";
/** What an empty name means: nothing can be here. It is no name of the directory that one is in. */
export const nowhere = `${nullDevice}/nowhere`;
/** Devices without an end give this much at once, bytes: more than a script may print. */
const deviceBytes = 4 << 20;
/** What each gives to a reader; what only asks for the device must not call it. */
const devices: ReadonlyMap<string, (world: SyntheticWorld) => Uint8Array> = new Map([
  [nullDevice, () => new Uint8Array()],
  ["/dev/zero", () => new Uint8Array(deviceBytes)],
  ["/dev/random", ({ random }: SyntheticWorld) => randomBytes(random())],
  ["/dev/urandom", ({ random }: SyntheticWorld) => randomBytes(random())],
]);

/** Whether what is written to a path is gone. */
export const isDevice = (path: string): boolean => devices.has(path);

/** Different for each seed, and the same for the same one. */
function randomBytes(seed: number): Uint8Array {
  const key = createHash("sha256").update(String(seed)).digest();
  return createCipheriv("aes-256-ctr", key, new Uint8Array(16)).update(new Uint8Array(deviceBytes));
}

/** Whether there is a generated file at a path. */
export const isSyntheticFile = (path: string, world: SyntheticWorld): boolean =>
  isDevice(path) || files.has(path) || hasProcessFile(path, world.container) || isProgram(path, world);

/** Size of a generated file, bytes: a device has none. Undefined: there is no such file. */
export function syntheticSize(path: string, world: SyntheticWorld): number | undefined {
  return isDevice(path) ? 0 : syntheticFile(path, world)?.byteLength;
}

/** Content of a generated file, or undefined when there is none at the path. */
export function syntheticFile(path: string, world: SyntheticWorld): Uint8Array | undefined {
  const device = devices.get(path);
  if (device) return device(world);
  const make = files.get(path);
  if (make) return Buffer.from(`${make(world)}\n`);
  const known = processFile(path, world.container);
  if (known || !isProgram(path, world)) return known;
  // Kafka's tools are scripts in a folder of their own, where a shell reads them.
  return Buffer.from(path.startsWith("/opt/kafka/") ? `exec ${path.split("/").at(-1)} "$@"\n` : "");
}

function isProgram(path: string, { programs }: SyntheticWorld): boolean {
  const program = /^\/(?:(?:usr\/)?bin|opt\/kafka\/bin(?=\/kafka-))\/([^/]+)$/.exec(path)?.[1];
  // The shell's own way to leave a program in the background is found by it, and listed nowhere.
  return program !== undefined && (programs.includes(program) || program === backgroundCommand);
}

/** Names directly below a directory that every container has. */
const everywhere: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...directories, ...devices.keys(), ...files.keys()],
  (path) => path.slice(0, path.lastIndexOf("/")) || "/",
);

/** Generated names directly below a directory. */
export function syntheticChildren(path: string, { container, programs }: SyntheticWorld): readonly string[] {
  const names = (everywhere.get(path) ?? []).map((one) => one.slice(one.lastIndexOf("/") + 1));
  if (path === "/bin" || path === "/usr/bin") return [...names, ...programs];
  return path.startsWith("/proc") ? [...names, ...processChildren(path, container)] : names;
}

/** Whether a directory is generated. */
export const isSyntheticDirectory = (path: string, { container }: SyntheticWorld): boolean =>
  directories.includes(path) || isProcessDirectory(path, container);

/** Whether a path is generated and cannot be written. */
export const isReadOnly = (path: string): boolean => /^\/(proc|sys|bin|usr\/bin)(\/|$)/.test(path);
