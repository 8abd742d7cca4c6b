import type { ExecuteCommand, Execution } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Clusters } from "@microremed/kube";
import type { PlaybookRun } from "@microremed/playbook";

export interface ExecuteDeps {
  readonly clusters: Pick<Clusters, "get">;
  readonly runPlaybook: (run: PlaybookRun) => Promise<Execution>;
}

export interface ExecuteContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Runs one playbook with the arena's credentials. Whatever the playbook does is an Execution; thrown is only what
 * is the harness's or the cluster's fault.
 */
export async function execute(
  command: ExecuteCommand,
  { clusters, runPlaybook }: ExecuteDeps,
  { signal, log }: ExecuteContext,
): Promise<{ status: "ok"; execution: Execution }> {
  const cluster = await clusters.get(command.arena.cluster);
  const kubeconfig = await cluster.agentKubeconfig(command.arena.namespace, { readOnly: false });
  await using _hold = await cluster.clock.hold();
  const timeoutMs = command.timeoutSeconds * 1000;
  const execution = await runPlaybook({ playbook: command.playbook, kubeconfig, timeoutMs, signal, log });
  return { status: "ok", execution };
}
