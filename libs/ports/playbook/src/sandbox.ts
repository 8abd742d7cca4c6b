import { dirname } from "node:path";
import type { Logger } from "@microremed/core";
import { runInBubblewrap } from "./bubblewrap.ts";
import { findTool } from "./find-tool.ts";
import type { BubblewrapSandbox, Sandbox, Tools } from "./sandbox.types.ts";

const nobody = { uid: 65_534, gid: 65_534 } as const;
const TRIAL_MS = 10_000;
/** Port of a trial's API server, which nobody calls. */
const TRIAL_PORT = 6443;

/** PATH for untrusted code: the system's, and where kubectl is. */
export function toolPath(tools: Tools): string {
  const extra = tools.kubectl ? [dirname(tools.kubectl.path)] : [];
  return [...new Set(["/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin", ...extra])].join(":");
}

let detected: Promise<Sandbox> | undefined;

/** Finds out once per process, by trying, what this machine offers. Says so in the log when it is not everything. */
export function detectSandbox(log: Logger, searchPath: string): Promise<Sandbox> {
  detected ??= detect(searchPath).then((sandbox) => {
    const weakness = weaknessOf(sandbox);
    if (weakness !== undefined) log.warn({ weakness }, "the sandbox of playbooks is not complete");
    return sandbox;
  });
  return detected;
}

/** What a sandbox does not keep from untrusted code, and why; undefined when it is complete. */
export function weaknessOf(sandbox: Sandbox): string | undefined {
  if (sandbox.kind === "process-group") return `playbooks run without a sandbox: ${sandbox.why}`;
  if (sandbox.network === "shared")
    return "playbooks reach this machine's network: it does not permit namespaces of their own for it";
  return undefined;
}

async function detect(searchPath: string): Promise<Sandbox> {
  const [bwrap, ansible, kubectl] = await Promise.all(
    ["bwrap", "ansible-playbook", "kubectl"].map((name) => findTool(name, searchPath)),
  );
  const tools = { ansible, kubectl };
  if (!bwrap) return { kind: "process-group", why: "bubblewrap (bwrap) is not installed", tools };
  if (ansible && !ansible.real.startsWith("/usr/")) {
    const why = `${ansible.real} is outside /usr, which alone is in the sandbox`;
    return { kind: "process-group", why, tools };
  }
  let why = "";
  for (const candidate of candidates(bwrap.path, tools)) {
    const trouble = await tryOut(candidate);
    if (trouble === undefined) return candidate;
    why = trouble;
  }
  return { kind: "process-group", why, tools };
}

/** From the most confined on. bwrap knows how to forbid nested user namespaces since 0.8. */
function candidates(bwrap: string, tools: Tools): BubblewrapSandbox[] {
  const users = process.getuid?.() === 0 ? [nobody, undefined] : [undefined];
  return (["api-only", "shared"] as const).flatMap((network) =>
    users.flatMap((user) =>
      [false, true].map((nestedUsers) => ({
        kind: "bubblewrap" as const,
        bwrap,
        user,
        network,
        nestedUsers,
        tools,
      })),
    ),
  );
}

/** Why a sandbox does not work on this machine. */
async function tryOut(sandbox: BubblewrapSandbox): Promise<string | undefined> {
  const endpoint = {
    host: "127.0.0.1",
    port: TRIAL_PORT,
    insideName: "127.0.0.1",
    insidePort: TRIAL_PORT,
    kubeconfig: "",
  };
  const run = { argv: ["/bin/true"], files: {}, env: {}, endpoint, timeoutMs: TRIAL_MS, signal: undefined };
  const end = await runInBubblewrap(sandbox, run);
  return end.exitCode === 0 ? undefined : end.output.trim() || `bwrap: ${end.how}`;
}
