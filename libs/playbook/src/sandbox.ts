import { dirname } from "node:path";
import type { Logger } from "@microremed/core";
import { execa } from "execa";
import { findTool, type Tool } from "./find-tool.ts";

/**
 * How untrusted code is run on this machine.
 * - `bubblewrap`: namespaces of its own for users, mounts, processes and IPC.
 * - `process-group`: only a process group and a scrubbed environment, where bubblewrap is missing or not permitted.
 */
export type Sandbox =
  | {
      readonly kind: "bubblewrap";
      readonly bwrap: string;
      /** A harness that runs as root gives root up first: root's files and limits are not for playbooks. */
      readonly user: { readonly uid: number; readonly gid: number } | undefined;
      readonly tools: Tools;
    }
  | { readonly kind: "process-group"; readonly why: string; readonly tools: Tools };

interface Tools {
  readonly ansible: Tool | undefined;
  readonly kubectl: Tool | undefined;
}

const nobody = { uid: 65_534, gid: 65_534 } as const;
const TMPFS_BYTES = String(256 * 2 ** 20);
const SHM_BYTES = String(16 * 2 ** 20);

/** What of /etc programs need to start, resolve names and trust certificates; nothing else of it is there. */
const etc = [
  "alternatives",
  "ca-certificates",
  "group",
  "hosts",
  "ld.so.cache",
  "localtime",
  "nsswitch.conf",
  "passwd",
  "pki",
  "python3",
  "resolv.conf",
  "ssl",
];

/** Directories of the system itself; on most systems all but /usr are links into it. */
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/** Home inside the sandbox. Playbooks written for a remote root find `~/.kube/config` and `/root/.kube/config` alike. */
export const sandboxHome = "/root";

/** Arguments of bwrap that build the sandbox; contents of `files` are then read from descriptors 3, 4, ... */
export function bubblewrapArgs(files: readonly string[], tools: Tools): string[] {
  const kubectl = tools.kubectl;
  const outside = kubectl && !kubectl.real.startsWith("/usr/") ? [kubectl] : [];
  return [
    ...["--unshare-user", "--uid", "0", "--gid", "0", "--cap-drop", "ALL"],
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--hostname", "k3s-control-plane"],
    ...["--die-with-parent", "--new-session"],
    ...system.flatMap((path) => ["--ro-bind-try", path, path]),
    ...etc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...outside.flatMap((tool) => ["--ro-bind", tool.real, tool.path]),
    ...["--proc", "/proc", "--dev", "/dev", "--size", SHM_BYTES, "--tmpfs", "/dev/shm"],
    ...["--size", TMPFS_BYTES, "--tmpfs", "/tmp", "--size", TMPFS_BYTES, "--tmpfs", sandboxHome],
    ...files.flatMap((name, index) => [
      "--perms",
      "0600",
      "--file",
      String(3 + index),
      `${sandboxHome}/${name}`,
    ]),
    ...["--symlink", `${sandboxHome}/.kube/config`, "/etc/rancher/k3s/k3s.yaml"],
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", sandboxHome],
  ];
}

/** PATH for untrusted code: the system's, and where kubectl is. */
export function toolPath(tools: Tools): string {
  const extra = tools.kubectl ? [dirname(tools.kubectl.path)] : [];
  return [...new Set(["/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin", ...extra])].join(":");
}

let detected: Promise<Sandbox> | undefined;

/** Finds out once per process, by trying, what this machine offers. Says so in the log when it is not bubblewrap. */
export function detectSandbox(log: Logger, searchPath: string): Promise<Sandbox> {
  detected ??= detect(searchPath).then((sandbox) => {
    if (sandbox.kind === "process-group") log.warn({ why: sandbox.why }, "playbooks run without a sandbox");
    return sandbox;
  });
  return detected;
}

async function detect(searchPath: string): Promise<Sandbox> {
  const [bwrap, ansible, kubectl] = await Promise.all(
    ["bwrap", "ansible-playbook", "kubectl"].map((name) => findTool(name, searchPath)),
  );
  const tools = { ansible, kubectl };
  if (!bwrap) return { kind: "process-group", why: "bubblewrap (bwrap) is not installed", tools };
  if (ansible && !ansible.real.startsWith("/usr/")) {
    return {
      kind: "process-group",
      why: `${ansible.real} is outside /usr, which alone is in the sandbox`,
      tools,
    };
  }
  const users = process.getuid?.() === 0 ? [nobody, undefined] : [undefined];
  let why = "";
  for (const user of users) {
    const args = [...bubblewrapArgs([], tools), "--", "/bin/true"];
    const trial = await execa(bwrap.path, args, { reject: false, timeout: 5000, cwd: "/", ...user });
    if (trial.exitCode === 0) return { kind: "bubblewrap", bwrap: bwrap.path, user, tools };
    why = trial.stderr || trial.shortMessage || "bwrap failed";
  }
  return { kind: "process-group", why, tools };
}
