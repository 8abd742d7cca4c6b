import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { makeOwnedDirectory, whenOrphaned } from "@microremed/servers";
import { apiAccess, withoutCredentials } from "./api-access.ts";
import { listenAtGate, type ReviewRequest } from "./api-gate.ts";
import { type ApiRoute, apiRoute } from "./api-route.ts";
import { runInBubblewrap } from "./bubblewrap.ts";
import { secretsOf, withoutSecrets } from "./kubeconfig-secrets.ts";
import { toolPath } from "./open-sandbox.ts";
import { runInPod } from "./pods/run-in-pod.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";
import type { BubblewrapSandbox, PodsSandbox, Sandbox } from "./sandbox.types.ts";
import { sandboxHome } from "./sandbox-home.ts";

/** Untrusted code to run with one arena's credentials and nothing else. */
export interface ConfinedRun {
  readonly argv: readonly [string, ...string[]];
  /** Files in the home (and working) directory, by name; home's path is known only when it is run. */
  readonly files: Readonly<Record<string, string>> | ((home: string) => Readonly<Record<string, string>>);
  /** Environment variables beside those that every run has. */
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  /** YAML text. Its tokens and keys are struck out of the output. */
  readonly kubeconfig: string;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Awaited before anything goes out to the API server; once it throws, nothing does any more. Needs a sandbox. */
  readonly mayPass?: () => Promise<void>;
  /** Is called with the reason when a connection to the API server cannot be made: seen from outside of the sandbox. Needs a sandbox. */
  readonly onUnreachable?: (why: string) => void;
  /**
   * Asked about every request to the API server before it is sent; what it says is the reason of a refusal. With it the run
   * has no token: its requests get one on their way. Then `mayPass` is not asked.
   */
  readonly review?: ReviewRequest;
  readonly sandbox: Sandbox;
  /** Saves the program's start. Without effect where there is no bubblewrap. */
  readonly starter?: Starter | undefined;
}

/** A process that has what a program needs ready: runs are made in its place. */
export interface Starter {
  /** A connection for one run, which becomes its standard input; undefined while there is no process to take it. */
  connect(): Promise<Socket | undefined>;
  /** The argument list that runs a program through that connection. */
  through(argv: readonly string[]): readonly string[];
}

const KUBECONFIG = ".kube/config";
/** Where k3s keeps its own; playbooks written for MicroRemed name it. */
const K3S_KUBECONFIG = "/etc/rancher/k3s/k3s.yaml";

/**
 * Limits of every process in a run: processes of the user, descriptors, KiB of one file (256 MiB), KiB of data, no
 * core dumps. They are set by a shell because they must hold for whatever is started next; its last words join stderr to
 * stdout, in order. The shell is bash, and not in POSIX mode: there, and in dash, a file is counted in blocks of 512 bytes.
 */
export const limited = (processes: boolean, dataKib = 1_048_576): string =>
  `set +o posix; ${processes ? "ulimit -u 512; " : ""}ulimit -n 1024; ulimit -f 262144; ulimit -d ${dataKib}; ulimit -c 0; exec "$@" 2>&1`;

/**
 * Runs a program in the sandbox. In bubblewrap and in a pod its home and /tmp are in memory, so that nothing is left on
 * disk whatever happens; else a directory under the system's temporary one is its home and is removed afterwards.
 */
export async function runConfined(run: ConfinedRun): Promise<ProcessEnd> {
  const { sandbox } = run;
  const end = await startIn(run, sandbox);
  return { ...end, output: withoutSecrets(end.output, secretsOf(run.kubeconfig)) };
}

function startIn(run: ConfinedRun, sandbox: Sandbox): Promise<ProcessEnd> {
  switch (sandbox.kind) {
    case "bubblewrap":
      return inBubblewrap(run, sandbox);
    case "pods":
      return inPod(run, sandbox);
    case "none":
      return inProcessGroup(run);
    default:
      return sandbox satisfies never;
  }
}

function inPod(run: ConfinedRun, sandbox: PodsSandbox): Promise<ProcessEnd> {
  const route = apiRoute(run);
  return runInPod(sandbox, {
    job: {
      home: sandboxHome,
      links: { [K3S_KUBECONFIG]: join(sandboxHome, KUBECONFIG) },
      ...insideOf(run, run.argv, route),
    },
    ...boundsOf(run, route),
  });
}

async function inBubblewrap(run: ConfinedRun, sandbox: BubblewrapSandbox): Promise<ProcessEnd> {
  const route = apiRoute(run);
  const stdin = await run.starter?.connect();
  const argv = stdin && run.starter ? run.starter.through(run.argv) : run.argv;
  using _closed = { [Symbol.dispose]: () => void stdin?.destroy() };
  return await runInBubblewrap(sandbox, {
    ...insideOf(run, argv, route),
    ...(stdin && { stdin }),
    ...boundsOf(run, route),
  });
}

/** What a run has in a sandbox with a root directory of its own. `argv`: what is run under the limits. */
const insideOf = (run: ConfinedRun, argv: readonly string[], route: ApiRoute | undefined) => ({
  argv: ["/bin/bash", "-c", limited(true), "bash", ...argv],
  files: filesOf({ ...run, kubeconfig: route?.kubeconfig ?? run.kubeconfig }, sandboxHome),
  env: environment(run, sandboxHome, "/tmp"),
});

/** What a run may reach, and how long it may take. */
const boundsOf = (run: ConfinedRun, route: ApiRoute | undefined) => ({
  route,
  timeoutMs: run.timeoutMs,
  signal: run.signal,
});

async function inProcessGroup(run: ConfinedRun): Promise<ProcessEnd> {
  const home = await makeOwnedDirectory("run");
  using reach = await reachFromHere(run);
  try {
    const tmp = join(home, "tmp");
    await mkdir(tmp);
    for (const [name, content] of Object.entries(filesOf({ ...run, ...reach }, home))) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // There is no other root directory to put a link in, so the path itself is replaced.
      await writeFile(path, content.replaceAll(K3S_KUBECONFIG, join(home, KUBECONFIG)), { mode: 0o600 });
    }
    const argv = run.argv.map((word) => word.replaceAll(K3S_KUBECONFIG, join(home, KUBECONFIG)));
    return await runProcess({
      command: "/bin/bash",
      args: ["-c", limited(false), "sandbox", ...argv],
      env: environment(run, home, tmp),
      cwd: home,
      inputs: [],
      user: undefined,
      guard: (pid) => whenOrphaned('kill -9 "-$1"; sleep 1; rm -rf "$2"', [String(pid), home]),
      timeoutMs: run.timeoutMs,
      signal: run.signal,
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** Without a network of its own a run is kept to the gate by having no other credentials, and a stranger by a secret in its address. */
async function reachFromHere({
  kubeconfig,
  review,
  onUnreachable,
}: ConfinedRun): Promise<Disposable & { readonly kubeconfig: string }> {
  const access = review && apiAccess(kubeconfig);
  if (!access) return { kubeconfig, [Symbol.dispose]: () => {} };
  const prefix = `/${randomUUID()}`;
  const gate = await listenAtGate(access, { review, prefix, onUnreachable });
  const server = `http://127.0.0.1:${gate.port}${prefix}`;
  return {
    kubeconfig: withoutCredentials(kubeconfig, server),
    [Symbol.dispose]: () => gate[Symbol.dispose](),
  };
}

function filesOf(run: ConfinedRun, home: string): Record<string, string> {
  const files = typeof run.files === "function" ? run.files(home) : run.files;
  return { ...files, [KUBECONFIG]: run.kubeconfig };
}

/**
 * A `kubectl` lives for a tenth of a second, half of which its garbage collection would take. It starts to collect when it
 * holds as much as this, a quarter of what a run may use.
 */
const kubectlMemory = { GOGC: "off", GOMEMLIMIT: "256MiB" };

/** An editor's command line that ends at once. Programs add the file's name as a further argument, which it takes no notice of. */
const noEditor =
  "echo 'error: there is no terminal for an editor; use kubectl patch, kubectl set or kubectl apply -f instead' >&2; false";

/** A run has no terminal: a program that waits for one would use up all of the run's time. */
const noTerminal = { EDITOR: noEditor, VISUAL: noEditor, KUBE_EDITOR: noEditor, PAGER: "cat", TERM: "dumb" };

/** All that untrusted code sees of the environment. */
function environment({ sandbox, env }: ConfinedRun, home: string, tmp: string): Record<string, string> {
  const kubeconfig = join(home, KUBECONFIG);
  return {
    PATH: toolPath(sandbox.tools),
    HOME: home,
    TMPDIR: tmp,
    USER: "root",
    LOGNAME: "root",
    LANG: "C.UTF-8",
    KUBECONFIG: kubeconfig,
    ...kubectlMemory,
    ...noTerminal,
    ...env?.(home),
  };
}
