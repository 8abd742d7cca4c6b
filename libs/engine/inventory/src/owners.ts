import { chaosKinds, type KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";

/** Which controllers make objects of a kind. Any other owner is a disguise. */
const makers: Readonly<Record<string, readonly string[]>> = {
  Pod: ["ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"],
  ReplicaSet: ["Deployment"],
  ControllerRevision: ["StatefulSet", "DaemonSet"],
  Job: ["CronJob"],
};
/** Of what makes faults not every kind is read. Each fault is judged by itself, with or without an owner. */
const faultMakers = ["Schedule", "Workflow", "WorkflowNode"];
const isFault = new Set(chaosKinds.map(({ kind }) => kind));

/** The controllers of the objects that are there: object -> what made it. */
export function ownersAmong(objects: readonly KubeObject[]): (object: KubeObject) => KubeObject | undefined {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  return (object) => {
    const reference = object.metadata.ownerReferences?.find(({ controller }) => controller);
    const owner = reference && byUid.get(reference.uid);
    if (owner?.kind !== reference?.kind || owner?.metadata.name !== reference?.name) return undefined;
    return owner && makers[object.kind ?? ""]?.includes(owner.kind ?? "") && selects(owner, object)
      ? owner
      : undefined;
  };
}

/** Whether an object is a fault that something else is said to have made. */
export function isMadeFault({ kind = "", metadata }: KubeObject): boolean {
  return (
    isFault.has(kind) &&
    (metadata.ownerReferences ?? []).some(
      ({ controller, kind: owner }) => controller && faultMakers.includes(owner),
    )
  );
}

/** A controller lets go of what it does not select, so that an owner's name on anything else proves nothing. */
function selects({ kind, spec }: KubeObject, { metadata }: KubeObject): boolean {
  const selector = isJsonObject(spec) ? spec["selector"] : undefined;
  if (!isJsonObject(selector)) return true;
  const wanted = kind === "ReplicationController" ? { matchLabels: selector } : selector;
  return matchesSelector(wanted as LabelSelector, metadata.labels);
}
