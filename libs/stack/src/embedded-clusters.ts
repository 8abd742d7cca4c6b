import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClustersFile } from "@microremed/contracts";
import type { EnvironmentRegistry } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import type { EmbeddedClusters } from "./stack.types.ts";

export interface StartedClusters extends AsyncDisposable {
  readonly names: readonly string[];
  readonly clustersFile: string;
}

/** Starts embedded clusters and writes their kubeconfigs and the clusters file, readable by this user only. */
export async function startEmbeddedClusters(
  options: EmbeddedClusters,
  dir: string,
  registry: EnvironmentRegistry,
): Promise<StartedClusters> {
  await using started = new AsyncDisposableStack();
  const environments = options.environments.map((name) => registry.get(name));
  const entries: ClustersFile["clusters"] = [];
  for (let number = 1; number <= options.count; number++) {
    const name = `embedded-${number}`;
    const { seed, timeScale } = options;
    const cluster = started.use(await startSimCluster({ name, seed, timeScale, environments }));
    const kubeconfig = join(dir, `${name}.kubeconfig`);
    await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    entries.push({ name, kubeconfig, arenas: 1, clock: cluster.clockUrl });
  }
  const clustersFile = join(dir, "clusters.yaml");
  // JSON is YAML.
  await writeFile(clustersFile, `${JSON.stringify({ clusters: entries }, null, 2)}\n`, { mode: 0o600 });
  const owned = started.move();
  return {
    names: entries.map(({ name }) => name),
    clustersFile,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
