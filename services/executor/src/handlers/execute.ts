import { type Clusters, kinds } from "@microremed/cluster";
import type { ActCommand, Execution } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { PlaybookRun, PolicyRegistry } from "@microremed/playbook";

export interface ExecuteDeps {
  readonly clusters: Pick<Clusters, "get">;
  readonly policies: Pick<PolicyRegistry, "get">;
  readonly runPlaybook: (run: PlaybookRun) => Promise<Execution>;
  /** Whether what a playbook sends out passes through this process, which can hold it up. */
  readonly isCarried: boolean;
}

export interface ExecuteContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Throws when the arena is no longer the command's. */
  readonly assertHeld: () => Promise<void>;
  /** The same, to be asked often. */
  readonly assertCurrent: () => Promise<void>;
}

/**
 * Runs one playbook with the arena's credentials. Whatever the playbook does is an Execution; thrown is only what
 * is the harness's or the cluster's fault.
 */
export async function execute(
  command: ActCommand,
  { clusters, policies, runPlaybook, isCarried }: ExecuteDeps,
  { signal, log, assertHeld, assertCurrent }: ExecuteContext,
): Promise<{ status: "ok"; execution: Execution }> {
  const { playbook, policy: policyName, arena } = command;
  const guard = { policyName, policy: policies.get(policyName), namespace: arena.namespace };
  const cluster = await clusters.get(arena.cluster);
  const concealed = command.concealment === "neutral";
  // Elsewhere a run that this process has no hold of any more must lose its credentials.
  await using own = isCarried
    ? undefined
    : await cluster.runAccess(arena.namespace, { concealed, assertHeld });
  const kubeconfig =
    own?.kubeconfig ?? (await cluster.agentKubeconfig(arena.namespace, { readOnly: false, concealed }));
  await using _hold = await cluster.clock.hold();
  const timeoutMs = command.timeoutSeconds * 1000;
  await assertHeld();
  const startedAt = await cluster.clock.now();
  const execution = await runPlaybook({
    playbook,
    kubeconfig,
    guard,
    timeoutMs,
    signal,
    log,
    mayPass: assertCurrent,
  });
  // One that failed while the API server is away says nothing of who wrote it: this throws then.
  if (execution.status === "failed" || execution.status === "timed-out")
    await cluster.get(kinds.namespace, undefined, arena.namespace);
  return {
    status: "ok",
    execution: execution.status === "rejected" ? execution : { ...execution, startedAt },
  };
}
