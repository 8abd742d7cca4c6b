import type { ContainerSample } from "@microremed/kube";
import type { OracleContext } from "./oracle-context.ts";
import { type PingReading, pingPods } from "./ping.ts";
import { observeTarget, type TargetState } from "./target-state.ts";
import { type WriteReading, writeInPods } from "./write-probe.ts";

/** One look at the target: the objects once, and each dear measurement at most once, when an oracle asks for it. */
export interface Round {
  readonly context: OracleContext;
  readonly state: TargetState;
  samples(): Promise<readonly ContainerSample[]>;
  pings(): Promise<readonly PingReading[]>;
  writes(): Promise<readonly WriteReading[]>;
}

export async function startRound(context: OracleContext): Promise<Round> {
  const state = await observeTarget(context);
  const { cluster, namespace, target } = context;
  return {
    context,
    state,
    samples: once(() => cluster.podMetrics(namespace, `app=${target}`)),
    pings: once(() => pingPods(cluster, state.pods)),
    writes: once(() => writeInPods(context, state)),
  };
}

function once<T>(measure: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= measure();
    return result;
  };
}
