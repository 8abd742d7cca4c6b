import { type Clock, retryable } from "@microremed/core";
import type { ClusterView, WaitUntilOptions } from "./cluster.types.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import type { Transport } from "./transport.types.ts";
import { type LiveObjects, watchObjects } from "./watch-objects.ts";

/** Made once: what an abort makes by itself collects a stack each time. */
const isOver = new DOMException("the wait is over", "AbortError");

/**
 * Watches until `find` returns something other than `undefined`. Its deadline sleeps on the cluster's clock, whose time
 * therefore runs as fast as for any sleeper meanwhile.
 * Throws `deadline-exceeded` that says what it waited for and what `describe` last saw.
 */
export async function waitUntil<T>(
  transport: Transport,
  clock: Clock,
  options: WaitUntilOptions,
  find: (view: ClusterView) => T | undefined,
  describe: (view: ClusterView) => string = () => "",
): Promise<T> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const live = new Map<string, LiveObjects>(options.kinds.map(({ kind }) => [kind, new Map()]));
  const listed = new Set<string>();
  const view: ClusterView = {
    list: <K extends KubeObject>(kind: Kind<K>) => [...(live.get(kind.kind)?.values() ?? [])] as K[],
  };
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let scheduled = false;
  const changed = (): void => {
    if (scheduled || listed.size < options.kinds.length) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (stop.signal.aborted) return;
      try {
        const found = find(view);
        if (found !== undefined) resolve(found);
      } catch (error) {
        reject(error);
      }
    });
  };
  try {
    for (const kind of options.kinds) {
      const target = { kind, namespace: options.namespace, labelSelector: options.labelSelector };
      const objects: LiveObjects = live.get(kind.kind) ?? new Map();
      const seen = (): void => {
        listed.add(kind.kind);
        changed();
      };
      watchObjects(transport, target, objects, seen, signal).catch(reject);
    }
    const deadline = clock.sleep(options.timeoutMs, signal).then(() => {
      const last = describe(view);
      throw retryable(
        "deadline-exceeded",
        `waited ${Math.round(options.timeoutMs / 1000)} s of cluster time for ${options.what}${last ? `; last seen: ${last}` : ""}`,
      );
    });
    return await Promise.race([promise, deadline]);
  } finally {
    stop.abort(isOver);
    // Whatever the watchers and the deadline still throw has lost the race.
    promise.catch(() => {});
  }
}
