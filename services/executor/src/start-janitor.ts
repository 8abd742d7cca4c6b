import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@microremed/core";
import { removeLeftBehind } from "@microremed/servers";

/** Between two sweeps, ms. */
const everyMs = 60_000;

/** Removes, now and every minute, what killed executors of this machine have left: run directories, and what runs in them. */
export function startJanitor(log: Logger): AsyncDisposable {
  const stopping = new AbortController();
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      const { directories, processes } = await removeLeftBehind();
      if (directories.length > 0) log.info({ directories, processes }, "removed what was left behind");
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await sweeping;
    },
  };
}
