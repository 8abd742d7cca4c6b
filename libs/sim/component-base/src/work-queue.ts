import type { Logger } from "@microremed/core";
import { StatusError } from "@microremed/sim-objects";
import type { EventLoop } from "@microremed/sim-time";

export interface WorkQueue {
  /** Reconciles the key soon; several calls before that make one. */
  add(key: string): void;
  /** Reconciles the key after `ms` of cluster time at the latest. */
  addAfter(key: string, ms: number): void;
}

interface Options {
  readonly loop: EventLoop;
  readonly log: Logger;
  readonly name: string;
  /** Cluster time between a change and its reconciliation, ms. */
  readonly delayMs?: number;
}

interface Planned {
  readonly at: number;
  readonly cancel: () => void;
}

const firstRetryMs = 20;
const maxRetryMs = 60_000;

/** Keys to reconcile, coalesced; a reconcile that throws is tried again with back-off, as client-go's queues do. */
export function createWorkQueue(options: Options, reconcile: (key: string) => void): WorkQueue {
  const { loop, log, name, delayMs = 4 } = options;
  const planned = loop.keep(new Map<string, Planned>());
  const failures = loop.keep(new Map<string, number>());

  function run(key: string): void {
    planned.delete(key);
    try {
      reconcile(key);
      failures.delete(key);
    } catch (error) {
      const failed = (failures.get(key) ?? 0) + 1;
      failures.set(key, failed);
      const expected = error instanceof StatusError && [403, 404, 409].includes(error.code);
      if (!expected)
        log.warn({ controller: name, key, failed, err: error }, `${name} could not reconcile ${key}`);
      addAfter(key, Math.min(firstRetryMs * 2 ** (failed - 1), maxRetryMs));
    }
  }

  function addAfter(key: string, ms: number): void {
    const at = loop.now() + ms;
    const known = planned.get(key);
    if (known && known.at <= at) return;
    known?.cancel();
    planned.set(key, { at, cancel: loop.after(ms, name, () => run(key)) });
  }

  return { add: (key) => addAfter(key, delayMs), addAfter };
}
