import { createInProcessRunner } from "@microremed/ansible/in-process";
import { testPlaybookRunner } from "@microremed/ansible/testing";
import { createInProcessClusters } from "@microremed/cluster/in-process";
import { createLocalCluster } from "@microremed/simcluster";

testPlaybookRunner("playbooks in process", async () => {
  const api = createLocalCluster({ seed: 1, environments: [] });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
  return {
    cluster: await clusters.get("sim"),
    runner: createInProcessRunner(clusters.open),
    [Symbol.asyncDispose]: async () => api[Symbol.dispose](),
  };
});
