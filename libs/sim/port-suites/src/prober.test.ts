import { createInProcessClusters } from "@microremed/cluster/in-process";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import { testProber } from "@microremed/kubectl/testing";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";

async function create() {
  const api = createLocalCluster({ seed: 1, environments: [] });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
  return {
    cluster: await clusters.get("sim"),
    prober: createInProcessProber(clusters.open),
    [Symbol.asyncDispose]: async () => api[Symbol.dispose](),
  };
}

testProber("probes in process", create);

test.each([
  "kubectl get pods --no-such-flag",
  "kubectl get pods --show-managed-fields || echo fine",
  "kubectl get pods -o custom-columns=A:.metadata.name",
  "kubectl get pods -o jsonpath='{.items[?(@.x=~\"y\")]}'",
  "kubectl proxies",
  "kubectl rollout dance deployment/x",
  "kubectl logs",
  "kubectl get pods -Z",
  "sleep 1 & wait",
  "kubectl get pods |",
  "kubectl get pods '",
  "for i in; done",
  "while true; do :; done",
  "f() { f; }; f",
  "cat /dev/zero | head -c 100000000 | wc -c",
  "printf '%0100000000d' 1",
  'x=$(printf "a%.0s" $(seq 1 100000)); echo $x$x$x | wc -c',
  "awk 'BEGIN { while (1) print 1 }' | head -1",
  "exit 3",
])("%s is answered: no command of an agent ends its episode", async (command) => {
  await using under = await create();
  await under.cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "field" } });
  for (const readOnly of [true, false]) {
    const kubeconfig = await under.cluster.agentKubeconfig("field", { readOnly });
    await using _hold = await under.cluster.clock.hold();
    const run = { command, kubeconfig, timeoutMs: 20_000 };
    const reply = await (readOnly ? under.prober.runProbe(run) : under.prober.runCommand(run));
    expect(["ok", "failed", "timed-out", "refused"]).toContain(reply.status);
  }
});
