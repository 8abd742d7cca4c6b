import type { Socket } from "node:net";
import { terminal } from "@microremed/core";
import { relayFrom } from "./api-relay.ts";
import type { ApiRoute } from "./api-route.ts";
import { openMemoryGroup } from "./memory-group.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";
import type { BubblewrapSandbox, Tools } from "./sandbox.types.ts";
import { throughDoor } from "./sandbox-door.ts";
import { sandboxHome } from "./sandbox-home.ts";
import { sandboxMemory } from "./sandbox-memory.ts";
import { noFileSockets } from "./system-calls/argument-checks.ts";
import { systemCallFilter } from "./system-calls/system-call-filter.ts";

/** A program to run in bubblewrap. */
interface BubblewrapRun {
  readonly argv: readonly string[];
  /** Contents by name in the home directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of `files` that can be run. Default: none. */
  readonly programs?: readonly string[];
  /** Folders of the machine that can be read, at their own paths. Default: none. */
  readonly mounts?: readonly string[];
  /** Folders below these that are empty for it. Default: none. */
  readonly hidden?: readonly string[];
  /** Contents of files outside of the home that can be read and run, by path. Default: none. */
  readonly shown?: Readonly<Record<string, Uint8Array>>;
  /** All memory that it may take, files included. Default: 1 GiB. */
  readonly memoryBytes?: number;
  readonly env: Readonly<Record<string, string>>;
  /** The one way out; undefined: none. */
  readonly route: ApiRoute | undefined;
  readonly stdin?: Socket;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Ends it as `stopped`, with what it has printed. */
  readonly stop?: AbortSignal | undefined;
}

const TMPFS_BYTES = 128 * 2 ** 20;
const SHM_BYTES = 16 * 2 ** 20;
/** As the kernel counts it in a control group, and as `sandboxMemory` does. */
const MAX_MEMORY_BYTES = 2 ** 30;

/** What of /etc programs need to start and trust certificates; nothing else of it is there. */
const etc = [
  "alternatives",
  "ca-certificates",
  "group",
  "ld.so.cache",
  "localtime",
  "nsswitch.conf",
  "passwd",
  "pki",
  "python3",
  "ssl",
];

/** Directories of the system itself; on most systems all but /usr are links into it. */
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/** It reads as zeros, as /dev/zero does, but cannot be mapped: that would be shared memory, which nothing counts. */
const zeros = "/dev/full";
const writable = ["/tmp", sandboxHome, "/dev/shm"];

/** Runs a program in the sandbox. Whatever becomes of it, all its processes, files and connections end with it. */
export async function runInBubblewrap(sandbox: BubblewrapSandbox, run: BubblewrapRun): Promise<ProcessEnd> {
  using relays = new DisposableStack();
  const { memoryGroups, user } = sandbox;
  const { memoryBytes = MAX_MEMORY_BYTES } = run;
  await using group = memoryGroups ? openMemoryGroup(memoryGroups, memoryBytes, user) : null;
  const { route } = run;
  const files = Object.entries(run.files);
  const options = bubblewrapOptions(
    sandbox,
    files.map(([name]) => name),
    run,
  );
  const contents = [...files.map(([, content]) => content), ...Object.values(run.shown ?? {})];
  const systemCalls = systemCallsOf(sandbox, run);
  const inputs = [options.join("\0"), systemCalls, hosts(route), ...contents];
  let info = "";
  const end = await runProcess({
    command: sandbox.bwrap,
    args: [...["--args", "3"], "--", ...(route ? throughDoor(route.insidePort, run.argv) : run.argv)],
    env: run.env,
    cwd: "/",
    inputs,
    ...(run.stdin && { stdin: run.stdin }),
    user: sandbox.user,
    timeoutMs: run.timeoutMs,
    ...{ signal: run.signal, stop: run.stop },
    onInfo: (text) => {
      info += text;
    },
    ...(route && { onServer: (server) => relays.use(relayFrom(server, route.open())) }),
    ...(group && { onSpawn: (pid) => group.add(pid) }),
    isExhausted: () => {
      // The kernel counts all that can be counted from here, and more.
      if (group) return group.hasKilled();
      const pid = /"child-pid": (\d+)/.exec(info)?.[1];
      return pid !== undefined && sandboxMemory(Number(pid), writable) > memoryBytes;
    },
  });
  // One that ended before it was asked again.
  return end.how === "exited" && group?.hasKilled() ? { ...end, how: "exhausted", exitCode: null } : end;
}

/** Where folders are shown, sockets in them cannot be reached. */
function systemCallsOf(
  { systemCalls }: BubblewrapSandbox,
  { mounts = [] }: Pick<BubblewrapRun, "mounts">,
): Uint8Array {
  if (mounts.length === 0) return systemCalls;
  const filter = systemCallFilter(process.arch, noFileSockets);
  if (!filter) throw terminal("missing-tool", `the system calls of ${process.arch} are not known`);
  return filter;
}

/**
 * Options of bwrap, which it reads from descriptor 3, so that code inside does not see in its command line how the machine
 * is laid out. It reads the system calls' filter from 4, /etc/hosts from 5, then the contents of `files` and of what is shown, and
 * writes to the next.
 */
function bubblewrapOptions(
  sandbox: BubblewrapSandbox,
  files: readonly string[],
  {
    mounts = [],
    hidden = [],
    programs = [],
    shown = {},
  }: Pick<BubblewrapRun, "mounts" | "hidden" | "programs" | "shown">,
): string[] {
  const shownAt = Object.keys(shown);
  return [
    ...["--unshare-user", "--uid", "0", "--gid", "0", "--cap-drop", "ALL"],
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--hostname", "k3s-control-plane"],
    "--unshare-net",
    "--unshare-cgroup-try",
    ...(sandbox.nestedUsers ? [] : ["--disable-userns"]),
    ...["--die-with-parent", "--new-session", "--info-fd", String(6 + files.length + shownAt.length)],
    ...["--seccomp", "4"],
    ...system.flatMap((path) => ["--ro-bind-try", path, path]),
    ...etc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...["--file", "5", "/etc/hosts"],
    ...kubectlBind(sandbox.tools),
    ...["--proc", "/proc", "--dev", "/dev", "--dev-bind", zeros, "/dev/zero"],
    ...["--size", String(SHM_BYTES), "--tmpfs", "/dev/shm"],
    ...["/tmp", sandboxHome].flatMap((path) => ["--size", String(TMPFS_BYTES), "--tmpfs", path]),
    ...mounts.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.flatMap((path) => ["--size", "4096", "--tmpfs", path, "--remount-ro", path]),
    ...shownAt.flatMap((path, index) => [
      "--perms",
      "0755",
      "--ro-bind-data",
      String(6 + files.length + index),
      path,
    ]),
    ...files.flatMap((name, index) => [
      "--perms",
      programs.includes(name) ? "0700" : "0600",
      "--file",
      String(6 + index),
      `${sandboxHome}/${name}`,
    ]),
    ...["--symlink", `${sandboxHome}/.kube/config`, "/etc/rancher/k3s/k3s.yaml"],
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", sandboxHome],
  ];
}

/** What makes the path of kubectl lead to it where it is outside of /usr, or runs instead of another program. */
function kubectlBind({ kubectl }: Tools): readonly string[] {
  if (!kubectl) return [];
  const { path, real, insteadOf } = kubectl;
  if (!real.startsWith("/usr/")) return ["--ro-bind", real, path];
  return insteadOf === undefined ? [] : ["--ro-bind", real, insteadOf];
}

/** With a network of its own, the API server's name resolves to the sandbox itself. */
function hosts(route: ApiRoute | undefined): string {
  const names = ["localhost", "k3s-control-plane", ...(route ? [route.insideName] : [])];
  return `127.0.0.1 ${names.filter((name) => name !== "127.0.0.1").join(" ")}\n`;
}
