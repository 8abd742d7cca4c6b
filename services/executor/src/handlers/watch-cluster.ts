import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, kinds } from "@microremed/cluster";
import { AppError } from "@microremed/core";

export interface ClusterWatch extends AsyncDisposable {
  /** When the API server did not answer while this was watched, in words; undefined: it always did. */
  readonly trouble: string | undefined;
}

export interface WatchOptions {
  /** From one answer to the next question, ms. */
  readonly everyMs?: number;
  /** An answer that takes so long counts as none: kubectl gives up a TLS handshake after ten seconds. */
  readonly slowMs?: number;
}

/**
 * Asks a cluster's API server again and again, with the harness's own credentials: what it fails to answer is the
 * cluster's fault, whatever a playbook prints. The first question comes after `everyMs`, so that short runs cost none.
 */
export function watchCluster(
  cluster: Pick<Cluster, "get">,
  namespace: string,
  { everyMs = 2_000, slowMs = 10_000 }: WatchOptions = {},
): ClusterWatch {
  const stopping = new AbortController();
  let trouble: string | undefined;
  const watching = (async () => {
    for (;;) {
      await delay(everyMs, undefined, { signal: stopping.signal });
      const askedAt = performance.now();
      const failure = await failureOf(cluster, namespace);
      const tookMs = performance.now() - askedAt;
      if (stopping.signal.aborted && failure === undefined && tookMs < slowMs) return;
      if (failure !== undefined) trouble ??= failure;
      else if (tookMs >= slowMs) trouble ??= `an answer took ${Math.round(tookMs / 1000)} s`;
    }
  })().catch(() => undefined);
  return {
    get trouble() {
      return trouble;
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function failureOf(cluster: Pick<Cluster, "get">, namespace: string): Promise<string | undefined> {
  try {
    await cluster.get(kinds.namespace, undefined, namespace);
    return undefined;
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    return code === "cluster-unreachable" ? message : undefined;
  }
}
