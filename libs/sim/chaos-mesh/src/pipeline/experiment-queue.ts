import type { EventLoop } from "@microremed/sim-time";

/** Time between a change of an object and its reconcile, ms. */
export const reactionMs = 20;

/** What the controller remembers of one experiment between reconciles; all else is in the object. */
export interface Work {
  failures: number;
  selections: number;
  /** A daemon call is under way: the object waits for its end. */
  calling: boolean;
  again: boolean;
  /** The next reconcile, if one is queued. */
  queued: { readonly at: number; readonly cancel: () => void } | undefined;
  cancelExpiry: (() => void) | undefined;
}

/** Experiments of one kind that are to be reconciled; several calls for one make one reconcile, the earliest. */
export interface ExperimentQueue {
  add(namespace: string, name: string, delayMs?: number): void;
  forget(namespace: string, name: string): void;
}

export function createExperimentQueue(
  loop: Pick<EventLoop, "keep" | "now" | "after">,
  plural: string,
  reconcile: (namespace: string, name: string, work: Work) => void,
): ExperimentQueue {
  const works = loop.keep(new Map<string, Work>());

  function workOf(key: string): Work {
    const known = works.get(key);
    if (known) return known;
    const fresh = loop.keep<Work>({
      failures: 0,
      selections: 0,
      calling: false,
      again: false,
      queued: undefined,
      cancelExpiry: undefined,
    });
    works.set(key, fresh);
    return fresh;
  }

  return {
    add(namespace, name, delayMs = reactionMs) {
      const work = workOf(`${namespace}/${name}`);
      const at = loop.now() + delayMs;
      if (work.queued && work.queued.at <= at) return;
      work.queued?.cancel();
      const cancel = loop.after(delayMs, `chaos ${plural} ${namespace}/${name}`, () => {
        work.queued = undefined;
        reconcile(namespace, name, work);
      });
      work.queued = { at, cancel };
    },
    forget(namespace, name) {
      works.delete(`${namespace}/${name}`);
    },
  };
}
