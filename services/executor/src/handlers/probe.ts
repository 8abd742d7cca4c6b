import type { ProbeReply, ProbeRequest } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Clusters } from "@microremed/kube";
import type { ProbeRun } from "@microremed/playbook";

export interface ProbeDeps {
  readonly clusters: Pick<Clusters, "get">;
  readonly runProbe: (run: ProbeRun) => Promise<ProbeReply>;
}

export interface ProbeContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Runs one reading command with the arena's read-only credentials, while the cluster's clock may run at its scale. */
export async function probe(
  request: ProbeRequest,
  { clusters, runProbe }: ProbeDeps,
  { signal, log }: ProbeContext,
): Promise<ProbeReply> {
  const cluster = await clusters.get(request.arena.cluster);
  const kubeconfig = await cluster.agentKubeconfig(request.arena.namespace, {
    readOnly: true,
    concealed: request.concealment === "neutral",
  });
  await using _hold = await cluster.clock.hold();
  const timeoutMs = request.timeoutSeconds * 1000;
  const { probe } = request;
  if (probe.kind !== "command") return { status: "refused", exitCode: null, output: "not offered here" };
  return runProbe({ command: probe.command, kubeconfig, timeoutMs, signal, log });
}
