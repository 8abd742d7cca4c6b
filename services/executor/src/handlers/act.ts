import type { PlaybookRun } from "@microremed/ansible";
import { type Clusters, kinds } from "@microremed/cluster";
import { type ActCommand, type Execution, playbookTool, type StageBody } from "@microremed/contracts";
import { type AppError, type Logger, terminal } from "@microremed/core";
import type { PolicyRegistry } from "@microremed/policies";
import { watchCluster } from "./watch-cluster.ts";

export interface ActDeps {
  readonly clusters: Pick<Clusters, "get">;
  readonly policies: Pick<PolicyRegistry, "get">;
  readonly runPlaybook: (run: PlaybookRun) => Promise<Execution>;
  /** Whether what a playbook sends out passes through this process, which can hold it up. */
  readonly isCarried: boolean;
}

export interface ActContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Throws when the arena is no longer the command's. */
  readonly assertHeld: () => Promise<void>;
  /** The same, to be asked often. */
  readonly assertCurrent: () => Promise<void>;
}

/**
 * Does one action with the arena's credentials. Whatever it comes to is an Execution; thrown is only what is the
 * harness's or the cluster's fault, e.g. `unknown-entry` for a tool that this executor does not have.
 */
export async function act(
  command: ActCommand,
  deps: ActDeps,
  context: ActContext,
): Promise<StageBody<"act">> {
  const { tool, arguments: args } = command;
  if (tool !== playbookTool) {
    const message = `no tool called ${JSON.stringify(tool)} can act; known: ${playbookTool}`;
    throw terminal("unknown-entry", message, { tool });
  }
  const { playbook } = args;
  if (typeof playbook !== "string")
    throw terminal(
      "invalid-message",
      `${playbookTool} takes a playbook as text; it came as ${typeof playbook}`,
    );
  return { status: "ok", execution: await execute(playbook, command, deps, context) };
}

async function execute(
  playbook: string,
  command: ActCommand,
  { clusters, policies, runPlaybook, isCarried }: ActDeps,
  { signal, log, assertHeld, assertCurrent }: ActContext,
): Promise<Execution> {
  const { policy: policyName, arena } = command;
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
  await using watch = watchCluster(cluster, arena.namespace);
  const refused: string[] = [];
  const execution = await runPlaybook({
    playbook,
    kubeconfig,
    guard,
    timeoutMs,
    signal,
    log,
    mayPass: assertCurrent,
    onUnreachable: (why) => {
      if (refused.length === 0) refused.push(why);
    },
  });
  // A playbook that the API server did not answer says nothing of who wrote it. What it did before cannot be undone or
  // done again, so that the episode is tried from the beginning.
  const [connection] = refused;
  if (connection !== undefined) throw unreachable(arena, connection);
  if (execution.status === "failed" || execution.status === "timed-out") {
    await cluster.get(kinds.namespace, undefined, arena.namespace);
    await watch[Symbol.asyncDispose]();
    if (watch.trouble !== undefined) throw unreachable(arena, watch.trouble);
  }
  return execution.status === "rejected" ? execution : { ...execution, startedAt };
}

function unreachable({ cluster, namespace }: ActCommand["arena"], why: string): AppError {
  return terminal(
    "cluster-unreachable",
    `the API server of ${cluster} could not be reached while a playbook ran in ${namespace}: ${why}`,
    { cluster },
  );
}
