import type { Cluster } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { openSandbox, type PodsSandbox } from "@microremed/sandbox";
import { createPodsOpener, type RunnerSettings } from "@microremed/sandbox/pods";
import { type LocalRunnerHost, localRunnerHost, runnerSettings } from "@microremed/sandbox/testing";

const { namespace } = runnerSettings;

/** Runner pods that are objects of the cluster and run on this machine. */
export async function localRunnerPods(
  cluster: Cluster,
  settings: Partial<RunnerSettings> = {},
): Promise<{ readonly host: LocalRunnerHost; readonly sandbox: PodsSandbox } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const account = { name: "runner", namespace };
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
