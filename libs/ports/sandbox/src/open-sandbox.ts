import { dirname } from "node:path";
import { type Logger, terminal } from "@microremed/core";
import { createRelay } from "./api-relay.ts";
import { runInBubblewrap } from "./bubblewrap.ts";
import { findTool, kubectlOf, type Tool } from "./find-tool.ts";
import { findMemoryGroups } from "./memory-group.ts";
import type { BubblewrapSandbox, PodsSandbox, Sandbox, Tools } from "./sandbox.types.ts";
import { systemCallFilter } from "./system-calls/system-call-filter.ts";

/** What may be asked for. */
export const sandboxNames = ["auto", "bubblewrap", "pods", "none"] as const;

/**
 * The name of a sandbox. `auto`: bubblewrap where it is complete, else runner pods. `none` runs without one, for those who
 * ask for it by name.
 */
export type SandboxName = (typeof sandboxNames)[number];

const unprivileged = { uid: 65_534, gid: 65_534 } as const;
const TRIAL_MS = 10_000;
/** Port of a trial's API server, which is never called. */
const TRIAL_PORT = 6443;

/** PATH for untrusted code: the system's, and where kubectl is. */
export function toolPath(tools: Tools): string {
  const extra = tools.kubectl ? [dirname(tools.kubectl.path)] : [];
  return [...new Set(["/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin", ...extra])].join(":");
}

export interface SandboxOptions {
  readonly name: SandboxName;
  /** PATH, on which bwrap, ansible-playbook and kubectl are searched. */
  readonly searchPath: string;
  readonly log: Logger;
  /** Version of all clusters of the runs, such as `1.31`, if it is known: it decides between several kubectl. */
  readonly kubernetes?: string | undefined;
  /** Default: there is no cluster on which pods could be made. */
  readonly pods?: PodsOpener | undefined;
  /** What asks for `none`. Default: the services' variable, `SANDBOX=none`. */
  readonly askedBy?: string;
  /** Default: by trying it out, once per process. */
  readonly find?: (searchPath: string, kubernetes?: string) => Promise<FoundSandbox>;
}

/** The way to runner pods. */
export interface PodsOpener {
  /** Why pods cannot be made here; undefined: they can. */
  trouble(): Promise<string | undefined>;
  /** Returns once a program has run in one, confined. Throws `sandbox-unavailable` that says why none could. */
  open(): Promise<PodsSandbox>;
}

/** The most confined sandbox that works on this machine, or why none does. */
export type FoundSandbox = BubblewrapSandbox | { readonly trouble: string };

const noCluster = "no cluster for runner pods is configured (RUNNER_KUBECONFIG)";

/**
 * The sandbox of that name, tried out: bubblewrap once per process. Throws `missing-tool` (terminal), with why and what to
 * do, when there is no complete one: untrusted code then is not run, unless `none` is asked for by name. Throws
 * `sandbox-unavailable` when runner pods may be made, but none has become ready.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    name,
    searchPath,
    log,
    kubernetes,
    pods,
    askedBy = "SANDBOX=none",
    find = findBubblewrap,
  } = options;
  if (name === "none") {
    log.warn({ sandbox: name }, `untrusted code is run without a sandbox, as ${askedBy} asks for`);
    return { kind: "none", tools: (await findTools(searchPath, kubernetes)).tools };
  }
  const troubles: string[] = [];
  if (name !== "pods") {
    const found = await find(searchPath, kubernetes);
    if ("kind" in found) return found;
    troubles.push(`in bubblewrap: ${found.trouble}`);
  }
  if (name !== "bubblewrap") {
    const trouble = pods ? await pods.trouble() : noCluster;
    if (pods && trouble === undefined) return pods.open();
    troubles.push(`in runner pods: ${trouble}`);
  }
  throw terminal(
    "missing-tool",
    `untrusted code cannot be confined here. ${troubles.map((one) => `Not ${one}`).join(". ")}. Fix one of these (see docs/security.md), or ask for it to be run without a sandbox by ${askedBy}`,
    { sandbox: name },
  );
}

/** Why this machine does not permit a complete sandbox; undefined: it does. */
export async function sandboxTrouble(searchPath: string): Promise<string | undefined> {
  const found = await findBubblewrap(searchPath);
  return "kind" in found ? undefined : found.trouble;
}

const tried = new Map<string, Promise<FoundSandbox>>();

function findBubblewrap(searchPath: string, kubernetes?: string): Promise<FoundSandbox> {
  const key = `${kubernetes ?? ""} ${searchPath}`;
  const known = tried.get(key) ?? detect(searchPath, kubernetes);
  tried.set(key, known);
  return known;
}

async function findTools(
  searchPath: string,
  kubernetes: string | undefined,
): Promise<{ bwrap: Tool | undefined; tools: Tools }> {
  const [bwrap, ansible, kubectl] = await Promise.all(
    ["bwrap", "ansible-playbook", "kubectl"].map((program) => findTool(program, searchPath)),
  );
  const chosen = kubectl && kubernetes ? await kubectlOf(kubernetes, kubectl) : kubectl;
  return { bwrap, tools: { ansible, kubectl: chosen } };
}

async function detect(searchPath: string, kubernetes: string | undefined): Promise<FoundSandbox> {
  const { bwrap, tools } = await findTools(searchPath, kubernetes);
  if (!bwrap) return { trouble: "bubblewrap (bwrap) is not installed" };
  const { ansible } = tools;
  if (ansible && !ansible.real.startsWith("/usr/"))
    return { trouble: `${ansible.real} is outside /usr, and the sandbox contains only /usr` };
  const systemCalls = systemCallFilter(process.arch);
  if (!systemCalls)
    return { trouble: `the system calls of ${process.arch} are not known, only those of x64 and arm64` };
  let trouble = "";
  const memoryGroups = await findMemoryGroups();
  for (const candidate of candidates({ bwrap: bwrap.path, tools, systemCalls, memoryGroups })) {
    const why = await tryOut(candidate);
    if (why === undefined) return candidate;
    trouble = why;
  }
  return { trouble };
}

/** From the most confined on. bwrap knows how to forbid nested user namespaces since 0.8. */
function candidates(
  common: Pick<BubblewrapSandbox, "bwrap" | "tools" | "systemCalls" | "memoryGroups">,
): BubblewrapSandbox[] {
  const users = process.getuid?.() === 0 ? [unprivileged, undefined] : [undefined];
  return users.flatMap((user) =>
    [false, true].map((nestedUsers) => ({ kind: "bubblewrap" as const, user, nestedUsers, ...common })),
  );
}

/** Succeeds in a sandbox whose system calls are filtered. */
const isFiltered = ["/bin/grep", "-Eq", "^Seccomp:.*2$", "/proc/self/status"];

/** Why a sandbox does not work on this machine. */
async function tryOut(sandbox: BubblewrapSandbox): Promise<string | undefined> {
  const at = { host: "127.0.0.1", port: TRIAL_PORT };
  const route = { insideName: at.host, insidePort: at.port, kubeconfig: "", open: () => createRelay(at) };
  const run = { argv: isFiltered, files: {}, env: {}, route, timeoutMs: TRIAL_MS, signal: undefined };
  const end = await runInBubblewrap(sandbox, run);
  if (end.exitCode === 0) return undefined;
  return (
    end.output.trim() || `bwrap ended without filtering system calls (${end.how}, exit code ${end.exitCode})`
  );
}
