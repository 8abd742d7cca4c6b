import type { Cluster } from "@microremed/cluster";
import type { Probe } from "@microremed/contracts";

/** A question that is answered over the port of clusters, without a process of its own. */
export type ClusterQuestion = Extract<Probe, { kind: "series" | "traces" | "changes" | "describe" | "wait" }>;

/** Where a question is asked. The cluster has the harness's rights, so what an agent may not see is left out here. */
export interface Place {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Cluster time, ms: nothing of before is shown. */
  readonly historyFrom?: number | undefined;
  /** Base URL of the cluster's Prometheus; undefined: it has none. */
  readonly prometheus?: string | undefined;
  /** Jaeger's query service, as `<namespace>/<service>:<port>`; undefined: where it usually is. */
  readonly jaeger?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A stretch of cluster time, ms. */
export interface Stretch {
  readonly now: number;
  readonly from: number;
  readonly to: number;
}

/** The stretch that a question is about, without what is before the place's history. */
export async function stretchOf(
  { cluster, historyFrom = 0 }: Place,
  { sinceSeconds, untilSeconds = 0 }: { readonly sinceSeconds: number; readonly untilSeconds?: number },
): Promise<Stretch> {
  const now = await cluster.clock.now();
  const to = Math.max(historyFrom, now - untilSeconds * 1000);
  return { now, from: Math.min(to, Math.max(historyFrom, now - sinceSeconds * 1000)), to };
}

/** Something that the cluster does not have, in words for who asked. */
export class NotHere extends Error {}
