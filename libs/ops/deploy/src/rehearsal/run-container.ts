import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminal } from "@microremed/core";
import { endProcess, whenOrphaned } from "@microremed/servers";
import { execa } from "execa";
import { confine, environmentOf } from "./confine.ts";
import type { ContainerPlan, Mount } from "./container-plan.ts";

/** A container's process, confined. */
export interface RunningContainer {
  readonly pid: number;
  readonly running: boolean;
  /** Its exit code. */
  readonly ended: Promise<number>;
  readonly logFile: string;
  /** Runs a command in it; its exit code, -1 when it takes too long. Throws `invalid-config` without root. */
  exec(argv: readonly string[], withinMs: number): Promise<number>;
  /** SIGTERM, and SIGKILL after the grace period, as the kubelet. Whether that was needed. */
  stop(graceMs: number): Promise<"ended" | "killed">;
  /** SIGKILL, as when its node loses power. */
  kill(): Promise<void>;
}

export interface ContainerPlace {
  /** Of the pod; volumes that containers share are in it. */
  readonly dir: string;
  readonly hostname: string;
  /** Text of /etc/hosts, as it is now. */
  readonly hosts: () => string;
}

/** Where a pod's /etc/hosts is; who writes it in place changes it for running containers too. */
export const hostsFileOf = ({ dir }: Pick<ContainerPlace, "dir">): string => join(dir, "hosts");

/**
 * Starts a container's process with the files of its mounts written to disk, readable by its user alone. `enter`: the
 * words before a program's own that start it in its network and its bounds.
 */
export async function runContainer(
  plan: ContainerPlan,
  place: ContainerPlace,
  enter: readonly string[] = [],
): Promise<RunningContainer> {
  const owner = plan.user;
  const own = async (path: string): Promise<void> => {
    if (owner && process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
  };
  await mkdir(place.dir, { recursive: true, mode: 0o711 });
  const directories = [];
  for (const [index, mount] of plan.mounts.entries())
    directories.push(await prepareMount(mount, join(place.dir, `${plan.name}-${index}`), place.dir, own));
  const hosts = hostsFileOf(place);
  const users = join(place.dir, "passwd");
  await writeFile(hosts, place.hosts(), { mode: 0o644 });
  await writeFile(users, `user:x:${owner?.uid ?? 0}:${owner?.gid ?? 0}::/:/bin/sh\n`, { mode: 0o644 });

  const logFile = join(place.dir, `${plan.name}.log`);
  const log = await open(logFile, "a", 0o600);
  const args = confine(plan, { directories, hosts, users, hostname: place.hostname });
  const [program = "", ...words] = [...enter, ...asUser(owner), "bwrap", ...args];
  const child: ChildProcess = spawn(program, words, {
    cwd: "/",
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
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
    async exec(argv, withinMs) {
      if (process.getuid?.() !== 0)
        throw terminal("invalid-config", `${plan.name}: to run a command in a container takes root here`);
      const { uid = 0, gid = 0 } = owner ?? {};
      const variables = Object.entries(environmentOf(plan, place.hostname)).map((one) => one.join("="));
      const inside = ["--user", "--mount", "--pid", "--ipc", "--uts", "--net", "--setuid", String(uid)];
      const target = ["--target", String(await programIn(pid)), ...inside, "--setgid", String(gid)];
      const ran = await execa("nsenter", [...target, "--", "/usr/bin/env", "-i", ...variables, ...argv], {
        cwd: "/",
        reject: false,
        timeout: withinMs,
        forceKillAfterDelay: 100,
      });
      return ran.exitCode ?? -1;
    },
    async stop(graceMs) {
      if (!running) return "ended";
      try {
        process.kill(await programIn(pid), "SIGTERM");
      } catch {
        // Gone by itself.
      }
      let outcome: "ended" | "killed" = "ended";
      const force = setTimeout(() => {
        outcome = "killed";
        void kill();
      }, graceMs);
      await ended;
      clearTimeout(force);
      return outcome;
    },
  };
}

/** bwrap must not be root where the container's user is not: what it binds is then that user's to read. */
function asUser(owner: ContainerPlan["user"]): string[] {
  if (!owner || process.getuid?.() !== 0) return [];
  return ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
}

/** The container's program. bwrap itself dies of a signal and takes its child with it. */
async function programIn(pid: number): Promise<number> {
  let target = pid;
  // bwrap, its process 1 inside, and the program.
  for (let depth = 0; depth < 2; depth += 1) {
    const children = await readFile(`/proc/${target}/task/${target}/children`, "utf8").catch(() => "");
    const [child] = children.trim().split(" ");
    if (!child) break;
    target = Number(child);
  }
  return target;
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
