import type { KubeObject } from "@microremed/sim-objects";
import type { ChaosDeps, ChaosKind } from "../model/chaos-kind.types.ts";
import { recordsOf } from "../model/experiment.ts";
import { chaosRef } from "../model/refs.ts";

interface Reaction {
  enqueue(object: KubeObject): void;
  /** A write of the controller itself, which needs no reaction. */
  isWriting(): boolean;
}

/**
 * Enqueues every experiment of a kind that there is, that another client changes, or whose child has a new status that
 * a record waits for. Returns the way to stop.
 */
export function watchExperiments(
  { store }: Pick<ChaosDeps, "store">,
  { plural, child }: ChaosKind,
  { enqueue, isWriting }: Reaction,
): () => void {
  const ref = chaosRef(plural);
  const stop = store.watch(ref, ({ object }) => {
    if (!isWriting()) enqueue(object);
  });
  const stopChild = child
    ? store.watch(chaosRef(child), ({ object: { metadata } }) => {
        const id = `${metadata.namespace}/${metadata.name}`;
        for (const experiment of store.list(ref))
          if ((recordsOf(experiment) ?? []).some((item) => waitsFor(item.id, id, item.phase)))
            enqueue(experiment);
      })
    : () => {};
  for (const object of store.list(ref)) enqueue(object);
  return () => {
    stop();
    stopChild();
  };
}

const waitsFor = (recordId: string, childId: string, phase: string): boolean =>
  phase.endsWith("/Wait") && (recordId === childId || recordId.startsWith(`${childId}/`));
