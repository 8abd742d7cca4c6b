import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ChaosImpl, ChaosRecord, Outcome } from "../model/chaos-kind.types.ts";
import { statusOf } from "../model/experiment.ts";
import { podOf, targetOf } from "../model/targets.ts";
import { awaitChild, type ChildKind } from "./child-status.ts";

/** How a kind writes its part of a pod's child object. */
interface ChildWrites {
  /** Adds what the object does to the record's pod. Returns the child's generation; undefined: it does nothing there. */
  add(object: KubeObject, record: ChaosRecord): number | undefined;
  /** Takes it out again. Returns the child's generation. */
  remove(object: KubeObject, record: ChaosRecord): number;
}

/** A kind that acts through a pod's child object: written first, then awaited until the daemon has taken it over. */
export function throughChild(store: Store, child: ChildKind, writes: ChildWrites): ChaosImpl {
  const awaited = (object: KubeObject, record: ChaosRecord, done: "Injected" | "Not Injected"): Outcome => {
    const generation = Number(statusOf(object).instances?.[record.id] ?? 0);
    return awaitChild(store, child, targetOf(record.id), generation, done, record.phase);
  };
  return {
    apply(object, record) {
      if (record.phase === "Not Injected/Wait") return awaited(object, record, "Injected");
      const instance = writes.add(object, record);
      return instance === undefined ? { phase: "Injected" } : { phase: "Not Injected/Wait", instance };
    },
    recover(object, record) {
      if (!podOf(store, targetOf(record.id))) return { phase: "Not Injected", instance: null };
      if (record.phase === "Injected/Wait") return awaited(object, record, "Not Injected");
      return { phase: "Injected/Wait", instance: writes.remove(object, record) };
    },
  };
}
