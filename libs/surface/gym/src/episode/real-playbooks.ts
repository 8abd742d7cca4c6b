import { createSandboxedRunner, startWarmRunner } from "@microremed/ansible/sandboxed";
import { servedKubeconfig } from "@microremed/cluster/in-process";
import { type Logger, terminal } from "@microremed/core";
import { openSandbox, type Sandbox } from "@microremed/sandbox";
import { type SimCluster, startSimCluster } from "@microremed/simcluster";
import type { Playbooks, SystemCluster } from "./playbooks.ts";

/** Cluster seconds in a second of a playbook, as by default in a local range of processes. */
const timeScale = 60;
/** Of all of these clusters, ms since the epoch: the same cases make the same starts. */
const startAt = Date.parse("2026-01-01T00:00:00Z");

/** Confines playbooks by bubblewrap. Throws `missing-tool` that says what to do where this machine lacks it, or Ansible. */
export async function openPlaybookSandbox(log: Logger): Promise<Sandbox> {
  const sandbox = await openSandbox({ name: "bubblewrap", searchPath: process.env["PATH"] ?? "", log });
  if (!sandbox.tools.ansible)
    throw terminal("missing-tool", "ansible-playbook is not installed; run scripts/setup");
  return sandbox;
}

/**
 * By the real ansible-playbook in a sandbox, from a warm process, against clusters that listen on this machine. While one
 * runs, the wall clock drives the cluster's time, so that runs of the same playbook need not be the same to the byte.
 */
export function startRealPlaybooks(sandbox: Sandbox, log: Logger): Playbooks & AsyncDisposable {
  const warm = startWarmRunner({ log, sandbox });
  const run = createSandboxedRunner({ sandbox, warm });
  /** The wall clock drives the cluster's time as long as the playbook runs. */
  const runOn =
    (cluster: SimCluster): ReturnType<SystemCluster["runner"]> =>
    async (given) => {
      cluster.loop.start();
      const release = cluster.loop.hold();
      try {
        return await run({ ...given, kubeconfig: servedKubeconfig(given.kubeconfig, cluster) });
      } finally {
        release();
        cluster.loop.stop();
      }
    };
  return {
    async open(environment): Promise<SystemCluster> {
      const cluster = await startSimCluster({
        ...{ name: "embedded", seed: 1, timeScale, startAt, environments: [environment], log },
        isPaused: true,
      });
      const { local: api, adminToken, snapshot, restore, loop } = cluster;
      return {
        ...{ api, adminToken, snapshot, restore, now: loop.now },
        runner: () => runOn(cluster),
        close: async () => cluster[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => warm[Symbol.asyncDispose](),
  };
}
