import { parentPort, workerData } from "node:worker_threads";
import { createEnvironmentRegistry } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import type { ClusterWork, RunningCluster } from "./cluster-worker.types.ts";

// The main program of a worker thread: starts embedded clusters, which run until the thread is terminated.
const { names, environments, environmentsDir, seed, timeScale } = workerData as ClusterWork;
const registry = createEnvironmentRegistry(environmentsDir);
const systems = environments.map((name) => registry.get(name));
const running: RunningCluster[] = [];
for (const name of names) {
  const { kubeconfig, clockUrl } = await startSimCluster({ name, seed, timeScale, environments: systems });
  running.push({ name, kubeconfig, clockUrl });
}
parentPort?.postMessage(running);
