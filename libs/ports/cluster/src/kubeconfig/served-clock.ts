import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, type Logger, terminal } from "@microremed/core";
import type { ApiRequests } from "./api-requests.ts";

/** Between two connections to the clock, so that a server that refuses is not flooded. */
const reconnectMs = 250;
/** A sleeping server answers late, never sooner: its time runs at least as fast as ours. */
const sleepGraceMs = 120_000;
/** A clock refuses to answer as late as that. */
const longestSleepMs = 3_600_000;

/**
 * The clock that a cluster serves itself, under `url` on its API server, with the kubeconfig's credentials.
 *
 * Holders in one process share one connection. A connection that drops while it is held is opened again until it
 * stands; time runs at 1 meanwhile, which makes waits longer but no measurement wrong.
 */
export function createServedClock(cluster: string, url: string, requests: ApiRequests, log: Logger): Clock {
  const { origin, pathname } = new URL(url);
  if (origin !== requests.origin) {
    throw terminal(
      "invalid-config",
      `cluster ${cluster}: its clock ${url} must be served by its API server ${requests.origin}, because it gets the same credentials`,
    );
  }
  const base = pathname.replace(/\/$/, "");
  const shared = createSharedHold(
    async (signal) => {
      const response = await requests.open("GET", `${base}/hold`, { signal, timeoutMs: 2 ** 31 - 1 });
      return response;
    },
    cluster,
    log,
  );
  return {
    async now() {
      const answer = await requests.call<{ now: number }>("GET", base);
      return answer.now;
    },
    async sleep(ms, signal) {
      for (let left = ms; left > 0; left -= longestSleepMs) {
        const part = Math.min(left, longestSleepMs);
        await requests.call("POST", `${base}/sleep`, {
          body: { ms: part },
          timeoutMs: part + sleepGraceMs,
          repeatable: true,
          ...(signal && { signal }),
        });
      }
    },
    hold: shared,
  };
}

/** Counts holders over one connection; opens it with the first and closes it with the last. */
function createSharedHold(
  connect: (signal: AbortSignal) => Promise<IncomingMessage>,
  cluster: string,
  log: Logger,
): Clock["hold"] {
  let holders = 0;
  let connection: { opened: Promise<void>; stop: AbortController } | undefined;

  const keep = async (stop: AbortController, opened: PromiseWithResolvers<void>): Promise<void> => {
    for (let first = true; !stop.signal.aborted; first = false) {
      try {
        const response = await connect(stop.signal);
        if (first) opened.resolve();
        else log.info({ cluster }, "clock hold re-established");
        const { promise, resolve } = Promise.withResolvers<void>();
        response
          .on("close", resolve)
          .on("error", () => {})
          .resume();
        await promise;
        if (!stop.signal.aborted) log.warn({ cluster }, "clock hold dropped");
      } catch (error) {
        if (stop.signal.aborted) return;
        if (first) {
          opened.reject(error);
          return;
        }
      }
      if (!stop.signal.aborted) await delay(reconnectMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  };

  return async () => {
    holders++;
    if (!connection) {
      const opened = Promise.withResolvers<void>();
      const stop = new AbortController();
      connection = { opened: opened.promise, stop };
      void keep(stop, opened);
    }
    const mine = connection;
    let released = false;
    const release = async (): Promise<void> => {
      if (released) return;
      released = true;
      holders--;
      if (holders > 0) return;
      connection = undefined;
      mine.stop.abort();
    };
    try {
      await mine.opened;
    } catch (error) {
      await release();
      if (connection === mine) connection = undefined;
      throw error;
    }
    return { [Symbol.asyncDispose]: release };
  };
}
