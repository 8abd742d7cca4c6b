import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { endProcess, whenOrphaned } from "@microremed/servers";
import { confine } from "./confine.ts";
import type { ContainerPlan, Mount } from "./container-plan.ts";

/** A container's process, confined. */
export interface RunningContainer {
  readonly pid: number;
  readonly running: boolean;
  /** Its exit code. */
  readonly ended: Promise<number>;
  readonly logFile: string;
  /** SIGTERM, and SIGKILL after the grace period, as the kubelet. */
  stop(graceMs: number): Promise<void>;
  /** SIGKILL, as when its node loses power. */
  kill(): Promise<void>;
}

export interface ContainerPlace {
  /** Of the pod; volumes that containers share are in it. */
  readonly dir: string;
  readonly hostname: string;
  /** Text of /etc/hosts. */
  readonly hosts: string;
}

/** Starts a container's process with the files of its mounts written to disk, readable by its user alone. */
export async function runContainer(plan: ContainerPlan, place: ContainerPlace): Promise<RunningContainer> {
  const owner = plan.user;
  const own = async (path: string): Promise<void> => {
    if (owner && process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
  };
  await mkdir(place.dir, { recursive: true, mode: 0o711 });
  const directories = [];
  for (const [index, mount] of plan.mounts.entries())
    directories.push(await prepareMount(mount, join(place.dir, `${plan.name}-${index}`), place.dir, own));
  const hosts = join(place.dir, "hosts");
  const users = join(place.dir, "passwd");
  await writeFile(hosts, place.hosts, { mode: 0o644 });
  await writeFile(users, `user:x:${owner?.uid ?? 0}:${owner?.gid ?? 0}::/:/bin/sh\n`, { mode: 0o644 });

  const logFile = join(place.dir, `${plan.name}.log`);
  const log = await open(logFile, "a", 0o600);
  const args = confine(plan, { directories, hosts, users, hostname: place.hostname });
  const child: ChildProcess = spawn("bwrap", args, {
    cwd: "/",
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
    ...(owner && process.getuid?.() === 0 && owner),
  });
  const ended = once(child, "exit").then(
    ([code]) => (typeof code === "number" ? code : 137),
    () => 127,
  );
  await log.close();
  const pid = child.pid ?? 0;
  const guard = whenOrphaned(endProcess, [String(pid)]);
  let running = child.pid !== undefined;
  void ended.then(() => {
    running = false;
    guard.release();
  });
  const kill = async (): Promise<void> => {
    // bwrap takes everything inside with it.
    child.kill("SIGKILL");
    await ended;
  };
  return {
    pid,
    ended,
    kill,
    logFile,
    get running() {
      return running;
    },
    async stop(graceMs) {
      if (!running) return;
      await signalInside(pid, "SIGTERM");
      const force = setTimeout(() => void kill(), graceMs);
      await ended;
      clearTimeout(force);
    },
  };
}

/** bwrap itself dies of SIGTERM and takes its child with it: the program inside is to be told. */
async function signalInside(pid: number, signal: NodeJS.Signals): Promise<void> {
  let target = pid;
  // bwrap, its process 1 inside, and the program.
  for (let depth = 0; depth < 2; depth += 1) {
    const children = await readFile(`/proc/${target}/task/${target}/children`, "utf8").catch(() => "");
    const [child] = children.trim().split(" ");
    if (!child) break;
    target = Number(child);
  }
  try {
    process.kill(target, signal);
  } catch {
    // Gone by itself.
  }
}

async function prepareMount(
  { source }: Mount,
  directory: string,
  podDir: string,
  own: (path: string) => Promise<void>,
): Promise<string> {
  const path = "volume" in source ? join(podDir, "volumes", source.volume) : directory;
  await mkdir(dirname(path), { recursive: true, mode: 0o711 });
  await mkdir(path, { recursive: true, mode: 0o750 });
  await own(path);
  if ("volume" in source) return path;
  for (const [name, text] of Object.entries(source.files)) {
    const file = join(path, name);
    await writeFile(file, text, { mode: 0o440 });
    await own(file);
  }
  return path;
}
