import { loadCatalogue } from "@microremed/registry";
import { type SimCluster, startSimCluster } from "@microremed/simcluster";
import type { ClusterWork, HostAnswer, HostWork, ServiceWork } from "./host-messages.types.ts";
import { NotStarted, openServices } from "./open-services.ts";

// The main program of a process with embedded clusters, and with the services that work on these. It runs until the
// process that asked for it is gone, or SIGTERM.

/** Between two signs of life, ms. */
const aliveEveryMs = 5_000;
/** How long an orderly end of the services may take, ms. */
const stopWithinMs = 3_000;

const stopping = new AbortController();
const interrupting = new AbortController();
const services = new AsyncDisposableStack();
let clusters: readonly SimCluster[] = [];

const answer = (message: HostAnswer): void => void process.send?.(message);

async function stop(): Promise<void> {
  if (stopping.signal.aborted) return;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  const reason = new Error("the service is stopping");
  stopping.abort(reason);
  interrupting.abort(reason);
  await services.disposeAsync().catch(() => {});
  process.exit(0);
}

async function startClusters(work: ClusterWork): Promise<void> {
  const { names, environments, environmentsDir, catalogueDirs, seed, timeScale } = work;
  const catalogue = await loadCatalogue({ dirs: catalogueDirs, environmentsDir });
  const systems = environments.map(catalogue.environments.get);
  clusters = await Promise.all(
    names.map((name) => startSimCluster({ name, seed, timeScale, environments: systems })),
  );
  answer({
    kind: "clusters",
    clusters: clusters.map(({ name, kubeconfig, clockUrl }) => ({ name, kubeconfig, clockUrl })),
  });
}

async function startServices(work: ServiceWork): Promise<void> {
  const stops = { signal: stopping.signal, interrupt: interrupting.signal };
  try {
    const open = await openServices(work, clusters, stops);
    for (const service of open) services.use(service);
    answer({ kind: "services", healthPorts: open.map(({ healthPort }) => healthPort) });
  } catch (error) {
    if (stopping.signal.aborted || !(error instanceof NotStarted)) throw error;
    process.send?.({ kind: "failed", service: error.service } satisfies HostAnswer, () => process.exit(1));
  }
}

setInterval(() => process.connected && answer({ kind: "alive" }), aliveEveryMs).unref();
process.on("disconnect", () => void stop());
process.on("SIGTERM", () => void stop());
process.on("message", (message: HostWork) => {
  const done = message.kind === "clusters" ? startClusters(message) : startServices(message);
  done.catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
