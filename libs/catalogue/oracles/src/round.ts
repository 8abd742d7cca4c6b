import type { ContainerSample } from "@microremed/cluster";
import { type ArenaState, observeArena } from "./arena-state.ts";
import type { OracleContext } from "./oracle-context.ts";
import { type PingReading, pingPods } from "./ping.ts";
import { askEntry, type EntryReading } from "./requests/ask-entry.ts";
import { readRequests } from "./requests/read-requests.ts";
import type { RequestsReading } from "./requests/request-source.ts";
import { observeTarget, type TargetState } from "./target-state.ts";
import { type WriteReading, writeInPods } from "./write-probe.ts";

/** One look at the target: the objects once, and each dear measurement at most once, when an oracle asks for it. */
export interface Round {
  readonly context: OracleContext;
  readonly state: TargetState;
  samples(): Promise<readonly ContainerSample[]>;
  pings(): Promise<readonly PingReading[]>;
  writes(): Promise<readonly WriteReading[]>;
  /** Every workload and pod of the arena. */
  arena(): Promise<ArenaState>;
  /** The arena's own requests. */
  requests(): Promise<RequestsReading>;
  /** Requests of our own. */
  entry(): Promise<EntryReading>;
}

export async function startRound(context: OracleContext): Promise<Round> {
  const state = await observeTarget(context);
  const { cluster, namespace, target } = context;
  const arena = once(() => observeArena(cluster, namespace));
  return {
    context,
    state,
    samples: once(() => cluster.podMetrics(namespace, `app=${target}`)),
    pings: once(() => pingPods(cluster, state.pods)),
    writes: once(() => writeInPods(context, state)),
    arena,
    requests: once(async () => readRequests(cluster, (await arena()).pods)),
    entry: once(() => askEntry(context)),
  };
}

function once<T>(measure: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= measure();
    return result;
  };
}
