import type { Rng } from "@microremed/core";
import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ChaosKind, ChaosRecord } from "../model/chaos-kind.types.ts";
import { newRecord } from "../model/records.ts";
import { nodesRef, podsRef } from "../model/refs.ts";
import { type Selection, selectContainers, selectPods } from "./selection.ts";

/** Selects an experiment's targets, once in its life. Throws in Chaos Mesh's words when there are none. */
export function selectRecords(
  kind: ChaosKind,
  object: KubeObject,
  store: Store,
  rng: Rng,
): readonly ChaosRecord[] {
  const { spec } = object;
  const pods = store.list(podsRef);
  const nodes = store.list(nodesRef);
  const select = (selection: Selection): readonly KubeObject[] => selectPods(selection, pods, nodes, rng);
  const records = select(spec).flatMap((pod) => {
    const id = `${pod.metadata.namespace}/${pod.metadata.name}`;
    if (kind.selects(spec) === "pod") return [newRecord(id, ".")];
    return selectContainers(pod, spec.containerNames).map((name) => newRecord(`${id}/${name}`, "."));
  });
  const targets = spec.target?.selector
    ? select(spec.target).map((pod) => newRecord(`${pod.metadata.namespace}/${pod.metadata.name}`, ".Target"))
    : [];
  if (records.length === 0) throw new Error("no target has been selected");
  return [...records, ...targets];
}
