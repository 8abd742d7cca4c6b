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
  const served = new WeakMap<object, SimCluster>();
  return {
    async open(environment): Promise<SystemCluster> {
      const cluster = await startSimCluster({
        ...{ name: "embedded", seed: 1, timeScale, startAt, environments: [environment], log },
        isPaused: true,
      });
      const { local: api, adminToken, snapshot, restore, loop } = cluster;
      served.set(api, cluster);
      const close = async (): Promise<void> => cluster[Symbol.asyncDispose]();
      return { api, adminToken, snapshot, restore, now: loop.now, close };
    },
    runner:
      ({ api }) =>
      async (given) => {
        const cluster = served.get(api);
        if (!cluster) throw new Error("the system's cluster was opened by other playbooks");
        const { loop } = cluster;
        loop.start();
        const release = loop.hold();
        try {
          return await run({ ...given, kubeconfig: servedKubeconfig(given.kubeconfig, cluster) });
        } finally {
          release();
          loop.stop();
        }
      },
    [Symbol.asyncDispose]: () => warm[Symbol.asyncDispose](),
  };
}
