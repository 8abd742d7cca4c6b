import { once } from "node:events";
import { loadCatalogue } from "@microremed/registry";
import { startSimCluster } from "@microremed/simcluster";
import type { ClusterWork, RunningCluster } from "./cluster-worker.types.ts";

// The main program of a process: starts one embedded cluster, which runs until the process that asked for it is gone.
process.on("disconnect", () => process.exit(0));
const [work] = (await once(process, "message")) as [ClusterWork];
const { name, environments, environmentsDir, catalogueDirs, seed, timeScale } = work;
const catalogue = await loadCatalogue({ dirs: catalogueDirs, environmentsDir });
const systems = environments.map(catalogue.environments.get);
const { kubeconfig, clockUrl } = await startSimCluster({ name, seed, timeScale, environments: systems });
const running: RunningCluster = { name, kubeconfig, clockUrl };
process.send?.(running);
