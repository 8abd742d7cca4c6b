import type { KubeObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ChaosEvent, createChaosRecorder } from "../model/chaos-events.ts";

/** The controller's writes to the experiments of one kind. */
export interface ExperimentWriter {
  write(object: KubeObject): KubeObject;
  /** `updated`: which controller has written which field, `desiredphase/desiredPhase`. */
  announce(object: KubeObject, events: readonly ChaosEvent[], updated?: string): void;
  /** A write of its own is under way: watchers need not react to it. */
  isWriting(): boolean;
}

export function createExperimentWriter(
  store: Store,
  ref: ResourceRef,
  record: ReturnType<typeof createChaosRecorder>,
): ExperimentWriter {
  let writing = false;
  return {
    isWriting: () => writing,
    write(object) {
      writing = true;
      try {
        return store.update(ref, object);
      } finally {
        writing = false;
      }
    },
    announce(object, events, updated) {
      for (const event of events) record(object, event);
      if (!updated) return;
      const [from = "", field = ""] = updated.split("/");
      record(object, {
        type: "Normal",
        reason: "Updated",
        from,
        message: `Successfully update \`${field}\` of resource`,
        details: { type: "updated", field },
      });
    },
  };
}
