import { setTimeout as delay } from "node:timers/promises";
import type { Clusters } from "@microremed/cluster";
import { AppError, type Logger } from "@microremed/core";
import type { State } from "@microremed/state";
import { sweepCluster } from "./sweep-cluster.ts";

export interface JanitorOptions {
  readonly clusters: Pick<Clusters, "names" | "get">;
  readonly state: Pick<State, "arenas" | "rangeId">;
  readonly log: Logger;
  /** See `SweepOptions`. */
  readonly idleMs: number;
  /** Between two rounds, ms. Default: a minute. */
  readonly everyMs?: number;
}

/** Replicas begin at different times, so that they do not all come at once, ms. */
const spreadMs = 20_000;

/** Sweeps every cluster every now and then. Each injector does so; see `sweepCluster` for why that is harmless. */
export function startJanitor(options: JanitorOptions): AsyncDisposable {
  const { clusters, state, log, idleMs, everyMs = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = async (): Promise<void> => {
    for (const name of clusters.names) {
      if (signal.aborted) return;
      try {
        const [cluster, range] = await Promise.all([clusters.get(name), state.rangeId()]);
        await sweepCluster({ cluster, range, arenas: state.arenas, log, idleMs, now: Date.now() });
      } catch (thrown) {
        const { code, message } = AppError.from(thrown);
        log.debug(
          { cluster: name, error_code: code, error_message: message },
          "a cluster could not be swept",
        );
      }
    }
  };
  const sweeping = (async () => {
    await delay(Math.min(everyMs, Math.random() * spreadMs), undefined, { signal });
    for (;;) {
      await round();
      await delay(everyMs, undefined, { signal });
    }
  })().catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown;
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await sweeping;
    },
  };
}
