import type { Cluster } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { openSandbox, type PodsSandbox } from "@microremed/sandbox";
import { createPodsOpener, type RunnerSettings } from "@microremed/sandbox/pods";
import { type LocalRunnerHost, localRunnerHost } from "@microremed/sandbox/testing";

const runnerNamespace = "runners";

/** Few pods, as the defaults have them. */
const runnerSettings: RunnerSettings = {
  namespace: runnerNamespace,
  image: "busybox:1.36",
  owner: "test",
  warm: 1,
  most: 4,
  cpu: "1",
  memory: "1Gi",
  tolerations: [],
  nodeSelector: {},
  imagePullSecrets: [],
  network: "enforced",
  unreachable: [],
};

/** Runner pods that are objects of the cluster and run on this machine. */
export async function localRunnerPods(
  cluster: Cluster,
  settings: Partial<RunnerSettings> = {},
): Promise<{ readonly host: LocalRunnerHost; readonly sandbox: PodsSandbox } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: runnerNamespace } });
  const account = { name: "runner", namespace: runnerNamespace };
  await cluster.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  const host = stack.use(localRunnerHost(cluster));
  const pods = createPodsOpener({
    connect: async () => host,
    settings: { ...runnerSettings, ...settings },
    log: silentLogger,
  });
  const sandbox = await openSandbox({ name: "pods", searchPath: "", log: silentLogger, pods });
  if (sandbox.kind !== "pods") throw new TypeError(`a sandbox of the kind ${sandbox.kind}`);
  stack.use(sandbox.runners);
  const owned = stack.move();
  return { host, sandbox, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
