import { createInProcessClusters } from "@microremed/cluster/in-process";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import { testProber } from "@microremed/kubectl/testing";
import { createLocalCluster } from "@microremed/simcluster";

testProber("probes in process", async () => {
  const api = createLocalCluster({ seed: 1, environments: [] });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
  return {
    cluster: await clusters.get("sim"),
    prober: createInProcessProber(clusters.open),
    [Symbol.asyncDispose]: async () => api[Symbol.dispose](),
  };
});
