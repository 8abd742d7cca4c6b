import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ClustersFile } from "@microremed/contracts";
import type { ClusterWork, RunningCluster } from "./cluster-worker.types.ts";
import { compileCache } from "./compile-cache.ts";
import type { EmbeddedClusters } from "./stack.types.ts";

export interface StartedClusters extends AsyncDisposable {
  readonly names: readonly string[];
  readonly clustersFile: string;
}

/** Clusters that share a thread, and so a processor and the memory of the code. */
const CLUSTERS_PER_THREAD = 8;
/** V8 would take 192 in a busy thread and keep that much garbage, for no gain in speed that shows. */
const YOUNG_HEAP_MIB = 48;
/** A cluster of train-ticket holds about 12 MiB; the bound also decides how much garbage V8 lets gather. */
const OLD_HEAP_MIB = { base: 256, perCluster: 32 } as const;

/**
 * Starts embedded clusters, in threads of their own, and writes their kubeconfigs and the clusters file, readable by
 * this user only. A defect in one ends this process: a range on half of its clusters would give wrong results.
 */
export async function startEmbeddedClusters(
  options: EmbeddedClusters,
  dir: string,
  own: Pick<ClusterWork, "environmentsDir" | "catalogueDirs">,
  signal?: AbortSignal,
): Promise<StartedClusters> {
  await using started = new AsyncDisposableStack();
  const names = Array.from({ length: options.count }, (_, index) => `embedded-${index + 1}`);
  const groups = Array.from({ length: Math.ceil(names.length / CLUSTERS_PER_THREAD) }, (_, index) =>
    names.slice(index * CLUSTERS_PER_THREAD, (index + 1) * CLUSTERS_PER_THREAD),
  );
  const threads = groups.map((group) =>
    started.use(startThread({ ...options, ...own, names: group }, signal)),
  );
  const running = (await Promise.all(threads.map((thread) => thread.clusters))).flat();

  const entries: ClustersFile["clusters"] = [];
  for (const { name, kubeconfig: text, clockUrl } of running) {
    const kubeconfig = join(dir, `${name}.kubeconfig`);
    await writeFile(kubeconfig, text, { mode: 0o600 });
    entries.push({ name, kubeconfig, arenas: 1, clock: clockUrl });
  }
  const clustersFile = join(dir, "clusters.yaml");
  // JSON is YAML.
  await writeFile(clustersFile, `${JSON.stringify({ clusters: entries }, null, 2)}\n`, { mode: 0o600 });
  const owned = started.move();
  return { names, clustersFile, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface ClusterThread extends AsyncDisposable {
  readonly clusters: Promise<readonly RunningCluster[]>;
}

function startThread(
  { names, environments, environmentsDir, catalogueDirs, seed, timeScale }: ClusterWork,
  signal: AbortSignal | undefined,
): ClusterThread {
  const workerData: ClusterWork = {
    names,
    environments,
    environmentsDir,
    catalogueDirs,
    seed,
    timeScale,
  };
  const worker = new Worker(new URL("./cluster-worker.ts", import.meta.url), {
    workerData,
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_HEAP_MIB,
      maxOldGenerationSizeMb: OLD_HEAP_MIB.base + names.length * OLD_HEAP_MIB.perCluster,
    },
  });
  // Rejects when the thread fails before it answers; a later failure has no listener and ends the process.
  const clusters = once(worker, "message", { signal }).then(
    ([answer]) => answer as readonly RunningCluster[],
  );
  return {
    clusters,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}
