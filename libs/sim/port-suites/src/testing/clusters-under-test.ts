import { createInProcessClusters } from "@microremed/cluster/in-process";
import type { ClusterUnderTest } from "@microremed/cluster/testing";
import { createLocalCluster, startSimCluster } from "@microremed/simcluster";
import { connectTo } from "./connect-to.ts";

/** The embedded cluster as external clients reach it. */
export async function overHttp(): Promise<ClusterUnderTest> {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 600, environments: [] }));
  const cluster = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  const owned = stack.move();
  return {
    cluster,
    connect: (kubeconfig) => connectTo(owned, kubeconfig),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The same cluster, called. */
export async function inProcess(): Promise<ClusterUnderTest> {
  const api = createLocalCluster({ seed: 1, environments: [] });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
  return {
    cluster: await clusters.get("sim"),
    connect: async (kubeconfig) => clusters.open(kubeconfig).cluster,
    [Symbol.asyncDispose]: async () => api[Symbol.dispose](),
  };
}
