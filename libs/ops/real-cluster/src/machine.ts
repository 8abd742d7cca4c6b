import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PodLink } from "@microremed/deploy";
import { pathWithSbin, whenOrphaned } from "@microremed/servers";
import { execa } from "execa";
import type { ControlGroup } from "./control-group.ts";
import { createDaemons } from "./daemons.ts";

/** A machine of a cluster: its own network, mounts, processes and host name. Its end ends all that runs on it. */
export interface Machine extends AsyncDisposable {
  readonly name: string;
  readonly address: string;
  /** Starts a program that keeps running; its output goes to `<dir>/<name>.log`. */
  start(name: string, argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
  /** Which of these programs have ended by themselves, how, and the end of their logs. Undefined: all run. */
  endedDaemons(): Promise<string | undefined>;
  /** Runs a program to its end; returns what it prints. */
  run(argv: readonly string[]): Promise<string>;
}

/** Programs write here whatever their settings say. */
const ownFolders = ["/var/lib", "/var/log"] as const;
const startWithinMs = 120_000;
const runWithinMs = 600_000;

/**
 * Starts a machine. `/run` is empty, what is written to `ownFolders` goes to `dir`, and the host's file system is otherwise
 * what it has.
 */
export async function startMachine(
  name: string,
  address: string,
  link: PodLink,
  controlGroup: ControlGroup,
  dir: string,
): Promise<Machine> {
  const upper = (path: string): string => join(dir, path.replaceAll("/", "_"));
  for (const path of ownFolders) {
    await mkdir(upper(path), { recursive: true });
    await mkdir(`${upper(path)}.work`);
  }
  const setUp = [
    "mount -t tmpfs -o mode=755 tmpfs /run",
    "mkdir -p /run/lock /run/netns",
    ...ownFolders.map(
      (path) =>
        `mount -t overlay -o lowerdir=${path},upperdir=${upper(path)},workdir=${upper(path)}.work overlay ${path}`,
    ),
    `hostname ${name}`,
    // Beside hierarchies of version 1, crun refuses one of version 2 that has controllers.
    "! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified",
    "echo ready",
    "exec sleep infinity",
  ];
  const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc"];
  const unshare = ["unshare", ...namespaces, "--propagation", "private"];
  const holder = startHolder([...link.enter, ...unshare, "sh", "-ec", setUp.join("\n")]);
  await untilReady(name, holder);
  const inner = await innerProcess(holder.pid ?? 0);
  const guard = whenOrphaned('kill -9 "$1"', [inner]);
  const daemons = createDaemons(name, dir);
  const enter = ["nsenter", "-t", inner, "-n", "-m", "-p", "-u", "-i", "--"];
  return {
    name,
    address,
    start: (daemon, argv, env = {}) =>
      daemons.start(daemon, [...controlGroup.enter, ...enter, ...argv], { PATH: pathWithSbin, ...env }),
    endedDaemons: () => daemons.ended(),
    async run(argv) {
      const [command = "", ...rest] = [...enter, ...argv];
      const ran = await execa(command, rest, { timeout: runWithinMs, env: { PATH: pathWithSbin } });
      return ran.stdout;
    },
    async [Symbol.asyncDispose]() {
      guard.release();
      // The first process of the namespace of processes: the kernel kills the others with it.
      try {
        process.kill(Number(inner), "SIGKILL");
      } catch (error) {
        // It has ended by itself.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
      await holder;
      await link[Symbol.asyncDispose]();
    },
  };
}

const startHolder = ([program = "", ...args]: readonly string[]) =>
  execa(program, args, { reject: false, detached: true, env: { PATH: pathWithSbin } });

/** Returns when the machine has said that it is set up; kills what does not. */
async function untilReady(name: string, holder: ReturnType<typeof startHolder>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string): void => reject(new Error(`the machine ${name} did not start: ${why}`));
  const late = setTimeout(() => {
    // unshare kills what it has started with it.
    holder.kill("SIGKILL");
    fail(`it is not set up within ${startWithinMs / 1000} s`);
  }, startWithinMs);
  holder.stdout.on("data", () => resolve());
  void holder.then(({ stderr }) => fail(stderr));
  try {
    await promise;
  } finally {
    clearTimeout(late);
  }
}

/** `unshare --fork` waits for one child, the first process of the new namespace. */
async function innerProcess(unshare: number): Promise<string> {
  const children = await readFile(`/proc/${unshare}/task/${unshare}/children`, "utf8");
  const [inner] = children.trim().split(" ");
  // Process 0 is a signal's word for all processes of a group.
  if (!inner) throw new Error(`unshare, process ${unshare}, has no child: the machine ended at once`);
  return inner;
}
