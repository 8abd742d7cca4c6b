import type { KubeObject, ResourceRef } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { DeleteOptions } from "./store.types.ts";

/** Kubernetes' default of terminationGracePeriodSeconds. */
const defaultGraceSeconds = 30;

function isPod(ref: ResourceRef): boolean {
  return ref.group === "" && ref.resource === "pods";
}

function isNamespace(ref: ResourceRef): boolean {
  return ref.group === "" && ref.resource === "namespaces";
}

/** Seconds that the kubelet gets to stop the pod; 0 for everything that no kubelet runs. */
function graceSeconds(ref: ResourceRef, object: KubeObject, options: DeleteOptions): number {
  if (!isPod(ref)) return 0;
  const phase = object.status?.phase;
  if (!object.spec?.nodeName || phase === "Succeeded" || phase === "Failed") return 0;
  const wanted =
    options.gracePeriodSeconds ?? object.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  const pending = object.metadata.deletionGracePeriodSeconds;
  return pending === undefined ? wanted : Math.min(wanted, pending);
}

function deletionFinalizers(object: KubeObject, options: DeleteOptions): readonly string[] {
  const others = (object.metadata.finalizers ?? []).filter(
    (name) => name !== "foregroundDeletion" && name !== "orphan",
  );
  if (options.propagationPolicy === "Foreground") return [...others, "foregroundDeletion"];
  if (options.propagationPolicy === "Orphan") return [...others, "orphan"];
  return options.propagationPolicy === undefined ? (object.metadata.finalizers ?? []) : others;
}

/** Whether nothing holds an object any more that is being deleted. */
export function isFinished(ref: ResourceRef, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers?.length ?? 0) > 0) return false;
  if (isNamespace(ref) && (object.spec?.finalizers?.length ?? 0) > 0) return false;
  return !isPod(ref) || !deletionGracePeriodSeconds;
}

/** The object as a delete request leaves it: with its deletionTimestamp and what still holds it. */
export function markDeleted(
  ref: ResourceRef,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): KubeObject {
  const grace = graceSeconds(ref, object, options);
  const finalizers = deletionFinalizers(object, options);
  const { finalizers: _held, ...metadata } = object.metadata;
  const first = metadata.deletionTimestamp === undefined;
  const shortened = isPod(ref) && grace < (metadata.deletionGracePeriodSeconds ?? 0);
  const marked: KubeObject = {
    ...object,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp:
        first || shortened || metadata.deletionTimestamp === undefined
          ? rfc3339(now + grace * 1000)
          : metadata.deletionTimestamp,
      deletionGracePeriodSeconds: first || shortened ? grace : (metadata.deletionGracePeriodSeconds ?? 0),
      ...(first && metadata.generation !== undefined && { generation: metadata.generation + 1 }),
    },
  };
  return isNamespace(ref) ? { ...marked, status: { ...object.status, phase: "Terminating" } } : marked;
}
