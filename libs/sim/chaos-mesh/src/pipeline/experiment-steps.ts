import type { Rng } from "@microremed/core";
import { jsonEqual, type KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ChaosKind } from "../model/chaos-kind.types.ts";
import { recordsOf, statusOf, withConditions, withExperiment } from "../model/experiment.ts";
import { decidePhase } from "./desired-phase.ts";
import type { ExperimentWriter } from "./experiment-writer.ts";
import { finalizerInited, finalizerRemoved, initedFinalizers, mayGo } from "./finalizers.ts";
import { selectRecords } from "./select-records.ts";

interface StepDeps {
  readonly kind: ChaosKind;
  readonly store: Store;
  readonly rng: Rng;
  readonly writer: ExperimentWriter;
  now(): number;
}

/** The steps of a reconcile, each one of Chaos Mesh's controllers: it writes its field and gives the object back. */
export interface ExperimentSteps {
  initFinalizer(object: KubeObject): KubeObject;
  keepPhase(object: KubeObject): KubeObject;
  /** `failed` is called when nothing could be selected. */
  keepSelection(object: KubeObject, failed: () => void): KubeObject;
  keepConditions(object: KubeObject): KubeObject;
  /** Returns whether the finalizers were taken away. */
  cleanFinalizer(object: KubeObject): boolean;
}

export function createExperimentSteps({ kind, store, rng, writer, now }: StepDeps): ExperimentSteps {
  const { write, announce } = writer;
  const withFinalizers = (object: KubeObject, finalizers: readonly string[]): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, finalizers },
  });

  return {
    initFinalizer(object) {
      const finalizers = initedFinalizers(object);
      if (!finalizers) return object;
      const written = write(withFinalizers(object, finalizers));
      announce(written, [finalizerInited], "initFinalizers/finalizers");
      return written;
    },
    keepPhase(object) {
      const { phase, reason, message } = decidePhase(object, kind.oneShot?.(object.spec) ?? false, now());
      if (statusOf(object).experiment.desiredPhase === phase) return object;
      const written = write(withExperiment(object, { desiredPhase: phase }));
      const event = { type: "Normal", reason, message, from: "desiredphase" } as const;
      announce(written, [event], "desiredphase/desiredPhase");
      return written;
    },
    keepSelection(object, failed) {
      if (recordsOf(object) || object.metadata.deletionTimestamp) return object;
      try {
        const containerRecords = selectRecords(kind, object, store, rng.fork(object.metadata.uid));
        return write(withExperiment(object, { containerRecords }));
      } catch (thrown) {
        const err = thrown instanceof Error ? thrown.message : String(thrown);
        announce(object, [
          {
            type: "Warning",
            reason: "Failed",
            from: "records",
            message: `Failed to select targets: ${err}`,
            details: { type: "failed", activity: "select targets", err },
          },
        ]);
        failed();
        return object;
      }
    },
    keepConditions(object) {
      const next = withConditions(object);
      return jsonEqual(next.status, object.status) ? object : write(next);
    },
    cleanFinalizer(object) {
      if (!mayGo(object)) return false;
      // Chaos Mesh writes an empty list, foreign finalizers go too.
      announce(write(withFinalizers(object, [])), [finalizerRemoved], "cleanFinalizers/finalizers");
      return true;
    },
  };
}
