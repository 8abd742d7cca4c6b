import { parentPort, workerData } from "node:worker_threads";
import { loadCatalogue } from "@microremed/registry";
import { startSimCluster } from "@microremed/simcluster";
import type { ClusterWork, RunningCluster } from "./cluster-worker.types.ts";

// The main program of a worker thread: starts embedded clusters, which run until the thread is terminated.
const { names, environments, environmentsDir, catalogueDirs, seed, timeScale } = workerData as ClusterWork;
const catalogue = await loadCatalogue({ dirs: catalogueDirs, environmentsDir });
const systems = environments.map(catalogue.environments.get);
const running: RunningCluster[] = [];
for (const name of names) {
  const { kubeconfig, clockUrl } = await startSimCluster({ name, seed, timeScale, environments: systems });
  running.push({ name, kubeconfig, clockUrl });
}
parentPort?.postMessage(running);
