import { parentPort, workerData } from "node:worker_threads";
import { createGym } from "@microremed/gym";
import { makeTraces, type TraceCase, type TraceRecipe } from "@microremed/gym/traces";
import { loadCatalogue } from "@microremed/registry";
import { answered } from "../start-threads.ts";

/** What every case of a set of traces is made from. */
export interface WorkerOrder {
  readonly recipe: TraceRecipe;
  /** Folders of entries beside the built-in ones. */
  readonly catalogues: readonly string[];
}

/** A thread with a gym, in which experts work on cases, one after the other. */
const { recipe, catalogues } = workerData as WorkerOrder;
const { soakSeconds, environments } = recipe;
const catalogue = await loadCatalogue({ dirs: catalogues });
const gym = createGym({
  ...{ catalogue, soakSeconds },
  // Each case is started once, and its seed is its own.
  ...{ starts: 1, variants: 1_000, systems: environments.length },
});
// An interrupt ends the whole thread.
const { signal } = new AbortController();

parentPort?.on("message", async (planned: TraceCase) => {
  parentPort?.postMessage(await answered(makeTraces(planned, recipe, { gym, catalogue }, signal)));
});
