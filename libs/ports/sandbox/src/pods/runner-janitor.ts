import { setTimeout as delay } from "node:timers/promises";
import { kinds } from "@microremed/cluster";
import { AppError, type Logger } from "@microremed/core";
import type { RunnerHost } from "./runner-host.types.ts";
import { ownerLabel, runnerLabels, untilAnnotation } from "./runner-pod.ts";
import type { RunnerSettings } from "./runner-settings.ts";

/** Between two sweeps, ms. */
const everyMs = 60_000;
/** Clocks of executors may differ, ms. */
const skewMs = 30_000;
const [[nameLabel, nameValue] = ["", ""]] = Object.entries(runnerLabels);

/** Deletes runner pods for which no executor vouches any more, of whichever executor. Returns how many. */
export async function removeLostRunners(
  { cluster }: RunnerHost,
  { namespace }: RunnerSettings,
  isLost: (owner: string, until: number) => boolean,
): Promise<number> {
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `${nameLabel}=${nameValue}` });
  const lost = pods.filter(({ metadata }) =>
    isLost(
      metadata.labels?.[ownerLabel] ?? "",
      Date.parse(metadata.annotations?.[untilAnnotation] ?? "") || 0,
    ),
  );
  for (const { metadata } of lost) await cluster.delete(kinds.pod, namespace, metadata.name);
  return lost.length;
}

/** Removes, every minute, what killed executors have left. */
export function startRunnerJanitor(host: RunnerHost, settings: RunnerSettings, log: Logger): AsyncDisposable {
  const stopping = new AbortController();
  const sweep = async (): Promise<void> => {
    try {
      const pods = await removeLostRunners(host, settings, (_owner, until) => until + skewMs < Date.now());
      if (pods > 0) log.info({ pods }, "deleted runner pods that were left behind");
    } catch (thrown) {
      log.warn({ why: AppError.from(thrown).message }, "runner pods could not be listed or deleted");
    }
  };
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      await sweep();
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
