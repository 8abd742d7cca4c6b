import { parentPort, workerData } from "node:worker_threads";
import { createInProcessCluster } from "@microremed/cluster/in-process";
import { makeCase, type OpenCluster, type PlannedCase, type Recipe } from "@microremed/dataset";
import { loadCatalogue } from "@microremed/registry";
import { createLocalCluster } from "@microremed/simcluster";
import { answered } from "../start-threads.ts";

/** What every case of a data set is made from and where it is put. */
export interface WorkerOrder {
  readonly recipe: Recipe;
  readonly directory: string;
  /** Folders of entries beside the built-in ones. */
  readonly catalogues: readonly string[];
}

/** A thread that makes cases, one after the other: each message is one, and is answered with what came of it. */
const { recipe, directory, catalogues } = workerData as WorkerOrder;

const openCluster: OpenCluster = ({ seed, startAt, environment, metricsEveryMs }) => {
  const api = createLocalCluster({ seed, startAt, environments: [environment], metricsEveryMs });
  const cluster = createInProcessCluster(api, { name: "embedded", token: api.adminToken });
  return { cluster, [Symbol.asyncDispose]: async () => api[Symbol.dispose]() };
};

const catalogue = await loadCatalogue({ dirs: catalogues });
// An interrupt ends the whole thread.
const { signal } = new AbortController();

parentPort?.on("message", async (planned: PlannedCase) => {
  const made = makeCase(planned, recipe, { directory, catalogue, openCluster, signal });
  parentPort?.postMessage(await answered(made));
});
