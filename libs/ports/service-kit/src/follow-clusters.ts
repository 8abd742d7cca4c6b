import { setTimeout as delay } from "node:timers/promises";
import { AppError, type Logger } from "@microremed/core";
import type { State } from "@microremed/state";

/** The registered clusters, as `openClusters` of libs/ports/cluster gives them. */
export interface FollowedClusters {
  readonly names: readonly string[];
  /** Those that are registered no more but may still be in use at the start. Default: none. */
  readonly left?: readonly string[];
  onChange(listener: () => void): Disposable;
  forget(name: string): Promise<void>;
}

export interface FollowClustersOptions {
  readonly clusters: FollowedClusters;
  readonly state: { readonly arenas: Pick<State["arenas"], "clustersInUse"> };
  readonly log: Logger;
  /** From now on these clusters are served, and no others. */
  readonly serve: (names: readonly string[]) => Promise<void>;
  /** Between two checks of clusters that are leaving, ms. */
  readonly everyMs?: number;
}

/**
 * Serves the clusters of the file as it changes. One that has left it is served on for as long as the schedulers know
 * it or an episode holds one of its arenas: what is under way is finished, or ends as what its cluster answers.
 */
export async function followClusters(options: FollowClustersOptions): Promise<AsyncDisposable> {
  const { clusters, state, log, serve, everyMs = 2_000 } = options;
  let served: readonly string[] = [...clusters.names, ...(clusters.left ?? [])];
  await serve(served);

  const follow = async (): Promise<void> => {
    const { names } = clusters;
    const leaving = served.filter((name) => !names.includes(name));
    const inUse = leaving.length === 0 ? new Set<string>() : await state.arenas.clustersInUse();
    const wanted = [...names, ...leaving.filter((name) => inUse.has(name))];
    if (wanted.length === served.length && wanted.every((name) => served.includes(name))) return;
    await serve(wanted);
    served = wanted;
    log.info({ clusters: wanted }, "the clusters that are served changed");
    for (const name of leaving) if (!inUse.has(name)) await clusters.forget(name);
  };
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  const listening = clusters.onChange(() => woken.resolve());
  const following = (async () => {
    while (!stopping.signal.aborted) {
      await Promise.race([woken.promise, delay(everyMs, undefined, { signal: stopping.signal })]).catch(
        () => undefined,
      );
      woken = Promise.withResolvers();
      if (stopping.signal.aborted) return;
      await follow().catch((thrown: unknown) => {
        log.warn({ error_message: AppError.from(thrown).message }, "following the clusters file failed");
      });
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      listening[Symbol.dispose]();
      stopping.abort();
      await following;
    },
  };
}
