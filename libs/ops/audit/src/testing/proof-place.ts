import { spawn } from "node:child_process";
import { createInProcessRunner } from "@microremed/ansible/in-process";
import { openLocalWorld, type Said, saidBy, startWorld } from "@microremed/arena/testing";
import type { Environment } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { runShell } from "@microremed/kubectl/in-process";

/** Bound on one script, s: cluster time in this process, else the wall clock's. */
const commandSeconds = 120;

/** Where a fault is proven: an embedded cluster, and how a shell script is run on it. */
export interface Place extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly run: (script: string) => Promise<Said>;
}

/** One in this process, where playbooks are run too, with the rights that an agent has. */
export interface OpenPlace extends Place {
  readonly play: (playbook: string) => Promise<Said>;
}

/** In this process, with an interpreted shell, kubectl and Ansible. */
export function openPlace(environment: Environment): OpenPlace {
  const world = openLocalWorld(environment, { ownPods: true });
  const { cluster } = world;
  const { namespace } = environment;
  const runPlaybook = createInProcessRunner(world.open);
  return {
    cluster,
    async play(playbook) {
      const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly: false });
      const run = { playbook, kubeconfig, timeoutMs: commandSeconds * 1000, log: silentLogger };
      const { exitCode, output } = await runPlaybook(run);
      return { code: exitCode, output };
    },
    async run(script) {
      const endsAt = (await cluster.clock.now()) + commandSeconds * 1000;
      const { exitCode, stdout, stderr } = await runShell({ script, cluster, namespace, endsAt });
      return { code: exitCode, output: `${stdout}${stderr}` };
    },
    [Symbol.asyncDispose]: async () => world[Symbol.dispose](),
  };
}

/** Behind a socket, with a real shell and kubectl, as an operator would. */
export async function servePlace(name: string, environment: Environment): Promise<Place> {
  const world = await startWorld(name, environment, 300);
  const { cluster, kubeconfig } = world;
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return {
    cluster,
    async run(script) {
      const timeout = commandSeconds * 1000;
      return saidBy(spawn("bash", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"], timeout }));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
