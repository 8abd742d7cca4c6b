import { type Clusters, scopePromql } from "@microremed/cluster";
import { queryPrometheus } from "@microremed/cluster/kubeconfig";
import type { ProbeReply, ProbeRequest } from "@microremed/contracts";
import { clipMiddle, type Logger } from "@microremed/core";
import type { ProbeRun, TelemetryRun } from "@microremed/kubectl";
import { askCluster, isClusterQuestion } from "@microremed/kubectl/over-cluster";
import { hideTraces } from "@microremed/verification";

/** What answers an observation: the clusters, and what runs commands in them. */
export interface ProbeDeps {
  readonly clusters: Pick<Clusters, "get" | "entries">;
  readonly runProbe: (run: ProbeRun) => Promise<ProbeReply>;
  readonly runTelemetry: (run: TelemetryRun) => Promise<ProbeReply>;
}

/** Of one request: ends it when the service stops. */
export interface ProbeContext {
  /** Throws when the arena is not the episode's any more. */
  readonly assertHeld: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Questions whose answers may have events in them: those that name a concealed fault are deleted before. */
const showsEvents: ReadonlySet<string> = new Set(["command", "events", "describe"]);

/** Characters of Prometheus' answer that are kept. */
const maxAnswer = 8 * 1024;

/**
 * Observes an arena with its read-only credentials, and says how long that took on the cluster's clock. What was read while
 * the arena went to another episode is not given.
 */
export async function probe(
  request: ProbeRequest,
  deps: ProbeDeps,
  context: ProbeContext,
): Promise<ProbeReply> {
  const { clock } = await deps.clusters.get(request.arena.cluster);
  await context.assertHeld();
  const startedAt = await clock.now();
  const reply = await answer(request, deps, context);
  await context.assertHeld();
  return { ...reply, clusterMs: Math.max(0, (await clock.now()) - startedAt) };
}

/** Meanwhile the cluster's clock may run at its scale. */
async function answer(
  request: ProbeRequest,
  { clusters, runProbe, runTelemetry }: ProbeDeps,
  { signal, log }: ProbeContext,
): Promise<ProbeReply> {
  const { arena, probe } = request;
  const cluster = await clusters.get(arena.cluster);
  const timeoutMs = request.timeoutSeconds * 1000;
  const { prometheus, jaeger } = clusters.entries.find(({ name }) => name === arena.cluster) ?? {};
  if (probe.kind === "metrics" && probe.promql !== undefined) {
    return askPrometheus(prometheus, arena.namespace, probe.promql, { timeoutMs, signal });
  }
  const concealed = request.concealment === "neutral";
  if (concealed && showsEvents.has(probe.kind)) await hideTraces(cluster, arena.namespace);
  if (isClusterQuestion(probe)) {
    await using _hold = await cluster.clock.hold();
    const { namespace } = arena;
    const { historyFrom } = request;
    return askCluster(probe, { cluster, namespace, historyFrom, prometheus, jaeger, timeoutMs, signal });
  }
  const kubeconfig = await cluster.agentKubeconfig(arena.namespace, {
    readOnly: true,
    concealed,
  });
  await using _hold = await cluster.clock.hold();
  const run = { kubeconfig, timeoutMs, signal, log };
  return probe.kind === "command"
    ? runProbe({ ...run, command: probe.command })
    : runTelemetry({ ...run, probe });
}

async function askPrometheus(
  url: string | undefined,
  namespace: string,
  promql: string,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<ProbeReply> {
  if (url === undefined) {
    return refused(
      "This cluster has no Prometheus. Without a query you get the CPU and memory of every container.",
    );
  }
  let scoped: string;
  try {
    scoped = scopePromql(promql, namespace);
  } catch (error) {
    return refused(`The query could not be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const { ok, text } = await queryPrometheus(url, scoped, options);
  return { status: ok ? "ok" : "failed", exitCode: ok ? 0 : 1, output: clipMiddle(text, maxAnswer) };
}

const refused = (output: string): ProbeReply => ({ status: "refused", exitCode: null, output });
