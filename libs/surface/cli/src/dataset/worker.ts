import { parentPort, workerData } from "node:worker_threads";
import { createInProcessCluster } from "@microremed/cluster/in-process";
import { AppError } from "@microremed/core";
import { makeCase, type OpenCluster, type PlannedCase } from "@microremed/dataset";
import { loadCatalogue } from "@microremed/registry";
import { createLocalCluster } from "@microremed/simcluster";
import type { WorkerAnswer, WorkerOrder } from "./start-workers.ts";

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
  const answer = await makeCase(planned, recipe, { directory, catalogue, openCluster, signal }).then(
    (result): WorkerAnswer => ({ result }),
    (thrown: unknown): WorkerAnswer => {
      const { code, message, stack = "" } = AppError.from(thrown);
      return { error: { code, message, stack } };
    },
  );
  parentPort?.postMessage(answer);
});
