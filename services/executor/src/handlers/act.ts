import type { PlaybookRun } from "@microremed/ansible";
import { type Cluster, type Clusters, fenceCluster, kinds } from "@microremed/cluster";
import {
  type ActCommand,
  type Execution,
  type ProbeReply,
  playbookTool,
  type StageBody,
  shellTool,
  undoTool,
} from "@microremed/contracts";
import { type AppError, type Logger, terminal } from "@microremed/core";
import type { CommandRun } from "@microremed/kubectl";
import type { PolicyRegistry } from "@microremed/policies";
import { hideTraces } from "@microremed/verification";
import { changedSince, readWritable } from "./objects-before.ts";
import { refusalOf } from "./refusal-of.ts";
import { undo } from "./undo.ts";
import { watchCluster } from "./watch-cluster.ts";

/** What acts: the clusters, the policies, and what runs playbooks and commands. */
export interface ActDeps {
  readonly clusters: Pick<Clusters, "get">;
  readonly policies: Pick<PolicyRegistry, "get">;
  readonly runPlaybook: (run: PlaybookRun) => Promise<Execution>;
  readonly runCommand: (run: CommandRun) => Promise<ProbeReply>;
  /** Whether what a playbook sends out passes through this process, which can hold it up. */
  readonly isCarried: boolean;
}

/** Of one action: ends it when the service stops, and says whether the arena is still its own. */
export interface ActContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Throws when the arena is no longer the command's. */
  readonly assertHeld: () => Promise<void>;
  /** The same, to be asked often. */
  readonly assertCurrent: () => Promise<void>;
  /** False: the command was begun before by a process that has not said what came of it. */
  readonly begin: () => Promise<boolean>;
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
  const { tool } = command;
  switch (tool) {
    case playbookTool: {
      const playbook = textOf(command, "playbook");
      return { status: "ok", execution: await execute(command, deps, context, runPlaybook(playbook, deps)) };
    }
    case shellTool:
      return once(command, deps, context, (cluster) => runShell(cluster, command, deps, context));
    case undoTool:
      return once(command, deps, context, (cluster) => runUndo(cluster, command, context));
    default: {
      const message = `no tool called ${JSON.stringify(tool)} can act; known: ${[playbookTool, shellTool, undoTool].join(", ")}`;
      throw terminal("unknown-entry", message, { tool });
    }
  }
}

function textOf({ tool, arguments: args }: ActCommand, name: string): string {
  const value = args[name];
  if (typeof value === "string") return value;
  throw terminal("invalid-message", `${tool} takes a ${name} as text; it came as ${typeof value}`);
}

/** Acts at most once, however often the command is delivered: what came of an earlier delivery may be unknown. */
async function once(
  command: ActCommand,
  { clusters }: ActDeps,
  context: ActContext,
  run: (cluster: Cluster) => Promise<StageBody<"act">>,
): Promise<StageBody<"act">> {
  const cluster = await clusters.get(command.arena.cluster);
  await context.assertHeld();
  if (await context.begin()) return run(cluster);
  const output =
    "It is not known whether this was run, or how far it got: the connection was lost meanwhile. It is not run again. Check the system before you go on.";
  return { status: "ok", execution: { status: "failed", exitCode: null, output, wallSeconds: 0 } };
}

async function runShell(
  cluster: Cluster,
  command: ActCommand,
  deps: ActDeps,
  context: ActContext,
): Promise<StageBody<"act">> {
  const line = textOf(command, "command");
  const { namespace } = command.arena;
  const guard = { policy: deps.policies.get(command.policy), namespace };
  const refusal = await refusalOf(line, command.policy, guard);
  if (refusal) return { status: "ok", execution: refusal };
  const before = await readWritable(cluster, namespace);
  const execution = await execute(command, deps, context, async (run) => {
    const startedAt = await cluster.clock.now();
    const { status, exitCode, output } = await deps.runCommand({
      ...run,
      command: line,
      maxOutput: maxPrinted,
    });
    const wallSeconds = ((await cluster.clock.now()) - startedAt) / 1000;
    return { status: status === "refused" ? "rejected" : status, exitCode, output, wallSeconds };
  });
  const changed = changedSince(before, await readWritable(cluster, namespace));
  return { status: "ok", execution, changed };
}

async function runUndo(
  cluster: Cluster,
  command: ActCommand,
  { assertHeld }: ActContext,
): Promise<StageBody<"act">> {
  const { namespace } = command.arena;
  await using _hold = await cluster.clock.hold();
  const startedAt = await cluster.clock.now();
  const { output, ok } = await undo(fenceCluster(cluster, assertHeld), namespace, command.undo ?? []);
  const wallSeconds = ((await cluster.clock.now()) - startedAt) / 1000;
  const status = ok ? "ok" : "failed";
  return { status: "ok", execution: { status, exitCode: ok ? 0 : 1, output, wallSeconds, startedAt } };
}

/** What every way to act gets. */
type Run = Pick<CommandRun, "kubeconfig" | "timeoutMs" | "mayPass" | "onUnreachable"> & {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly guard: PlaybookRun["guard"] & object;
};

/** Characters of what a command printed that are kept. */
const maxPrinted = 32 * 1024;

const runPlaybook =
  (playbook: string, deps: ActDeps) =>
  (run: Run): Promise<Execution> =>
    deps.runPlaybook({ ...run, playbook });

async function execute(
  command: ActCommand,
  { clusters, policies, isCarried }: ActDeps,
  { signal, log, assertHeld, assertCurrent }: ActContext,
  doIt: (run: Run) => Promise<Execution>,
): Promise<Execution> {
  const { policy: policyName, arena } = command;
  const guard = { policyName, policy: policies.get(policyName), namespace: arena.namespace };
  const cluster = await clusters.get(arena.cluster);
  const concealed = command.concealment === "neutral";
  if (concealed) await hideTraces(cluster, arena.namespace);
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
  const execution = await doIt({
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
  const endedAt = Math.max(startedAt, await cluster.clock.now());
  // A playbook that the API server did not answer says nothing of who wrote it. What it did before cannot be undone or
  // done again, so that the episode is tried from the beginning.
  const [connection] = refused;
  if (connection !== undefined) throw unreachable(arena, connection);
  if (execution.status === "failed" || execution.status === "timed-out") {
    await cluster.get(kinds.namespace, undefined, arena.namespace);
    await watch[Symbol.asyncDispose]();
    if (watch.trouble !== undefined) throw unreachable(arena, watch.trouble);
  }
  if (execution.status === "rejected") return execution;
  return { ...execution, startedAt, clusterSeconds: (endedAt - startedAt) / 1000 };
}

function unreachable({ cluster, namespace }: ActCommand["arena"], why: string): AppError {
  return terminal(
    "cluster-unreachable",
    `the API server of ${cluster} could not be reached while a playbook ran in ${namespace}: ${why}`,
    { cluster },
  );
}
