import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Environment } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import { type Access, createInProcessCluster, createInProcessClusters } from "@microremed/cluster/in-process";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { createLocalCluster, startSimCluster } from "@microremed/simcluster";
import { onTestFinished } from "vitest";
import type { ArenaContext } from "../arena.ts";

const catalogue = await builtInCatalogue();

/** An embedded cluster and a connection to it with the admin's rights. Disposing it stops the cluster. */
export interface World extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
}

/** An embedded cluster in this process, with the admin's rights. Its time goes as fast as it can be computed. */
export interface LocalWorld extends Disposable {
  readonly cluster: Cluster;
  /** With the rights of a kubeconfig that the cluster gave. */
  readonly open: (kubeconfig: string) => Access;
}

/**
 * An embedded cluster for one environment without a socket: for tests to which it is the same how it is reached.
 * `ownPods`: with the pods that a cluster itself consists of.
 */
export function openLocalWorld(system: Environment, { ownPods = false } = {}): LocalWorld {
  const api = createLocalCluster({ seed: 1, environments: [system], log: silentLogger, ownPods });
  const name = "local";
  const cluster = createInProcessCluster(api, { name, token: api.adminToken });
  const { open } = createInProcessClusters([{ name, api, adminToken: api.adminToken }]);
  return { cluster, open, [Symbol.dispose]: () => api[Symbol.dispose]() };
}

/** An embedded cluster for one environment, and a connection with the harness's rights. */
export async function startWorld(name: string, system: Environment, timeScale = 60): Promise<World> {
  const stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name, seed: 1, timeScale, environments: [system] }));
  const dir = stack.use(await mkdtempDisposable(join(tmpdir(), "microremed-world-")));
  const kubeconfig = join(dir.path, "kubeconfig");
  await writeFile(kubeconfig, sim.kubeconfig);
  const entry = { name, kubeconfig, arenas: 1, ownNameServer: true, clock: sim.clockUrl };
  const cluster = stack.use(await connectCluster(entry, { log: silentLogger }));
  return { cluster, kubeconfig, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/**
 * The arena of an environment under a lease that never ends, with the built-in catalogue unless another is given.
 */
export function arenaOn(
  cluster: Cluster,
  environment: Environment,
  namespace = environment.namespace,
  entries: ArenaContext["catalogue"] = catalogue,
): ArenaContext {
  const signal = new AbortController().signal;
  const lease = { slot: 0, fence: 1 };
  const common = { cluster, range: "test", namespace, lease, environment, catalogue: entries, signal };
  return { ...common, log: silentLogger, assertLease: async () => {} };
}

/**
 * How a kubectl command ended; `output` is stdout, then stderr. `code` is null when a signal ended it, e.g. after 60
 * s.
 */
export interface Said {
  readonly code: number | null;
  readonly output: string;
}

/** Waits for a program and takes all that it prints. */
export async function saidBy(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<Said> {
  const ended = Promise.withResolvers<number | null>();
  child.on("close", ended.resolve).on("error", ended.reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, output: `${out}${err}` };
}

/** A real kubectl with given credentials: runs with the given arguments, `input` on its stdin. */
export async function kubectlAs(
  kubeconfig: string,
): Promise<(line: string, input?: unknown) => Promise<Said>> {
  const dir = await mkdtempDisposable(join(tmpdir(), "microremed-kubectl-"));
  onTestFinished(() => dir.remove());
  const file = join(dir.path, "kubeconfig");
  await writeFile(file, kubeconfig);
  return async (line, input) => {
    const child = spawn("kubectl", ["--kubeconfig", file, ...line.split(" ")], { timeout: 60_000 });
    child.stdin.end(input === undefined ? "" : JSON.stringify(input));
    return saidBy(child);
  };
}
