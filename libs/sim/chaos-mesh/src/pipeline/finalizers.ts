import type { KubeObject } from "@microremed/sim-objects";
import type { ChaosEvent } from "../model/chaos-events.ts";
import { recordsOf } from "../model/experiment.ts";

export const recordsFinalizer = "chaos-mesh/records";
export const cleanFinalizerAnnotation = "chaos-mesh.chaos-mesh.org/cleanFinalizer";

export const finalizerInited: ChaosEvent = {
  type: "Normal",
  reason: "FinalizerInited",
  from: "initFinalizers",
  message: "Finalizer has been inited",
};

/** In Chaos Mesh's words: the reason is the same for both. */
export const finalizerRemoved: ChaosEvent = {
  type: "Normal",
  reason: "FinalizerInited",
  from: "cleanFinalizers",
  message: "Finalizer has been removed",
};

/** The finalizers of an experiment that is still to get Chaos Mesh's; undefined: it has it, or is being deleted. */
export function initedFinalizers({ metadata }: KubeObject): readonly string[] | undefined {
  const { finalizers = [], deletionTimestamp } = metadata;
  if (deletionTimestamp || finalizers.includes(recordsFinalizer)) return undefined;
  return [...finalizers, recordsFinalizer];
}

/** Whether a deleted experiment may go: everything is recovered, or its deletion is forced. */
export function mayGo(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], annotations } = object.metadata;
  if (!deletionTimestamp || finalizers.length === 0) return false;
  const recovered = (recordsOf(object) ?? []).every(({ phase }) => phase === "Not Injected");
  return recovered || annotations?.[cleanFinalizerAnnotation] === "forced";
}
