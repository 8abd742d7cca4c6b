import { isAvailable, isReady, isTerminating, type KubeObject } from "@microremed/sim-objects";
import { revisionOfPod } from "./stateful-set-pods.ts";

/** Names of a StatefulSet's revisions: the one it comes from and the one it goes to. */
export interface RevisionNames {
  readonly current: string;
  readonly update: string;
}

/** The status of a StatefulSet as its pods make it. */
export function statefulSetStatus(
  set: KubeObject,
  pods: readonly KubeObject[],
  { current, update }: RevisionNames,
  now: number,
): object {
  const live = pods.filter((pod) => !isTerminating(pod));
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod));
  const available = ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now));
  const updated = live.filter((pod) => revisionOfPod(pod) === update).length;
  const replicas = pods.length;
  const done =
    set.spec.updateStrategy?.type !== "OnDelete" && updated === replicas && ready.length === replicas;
  const currentRevision = done ? update : current;
  const onCurrent = live.filter((pod) => revisionOfPod(pod) === currentRevision).length;
  return {
    observedGeneration: set.metadata.generation,
    replicas,
    ...(ready.length > 0 && { readyReplicas: ready.length }),
    ...(onCurrent > 0 && { currentReplicas: onCurrent }),
    ...(updated > 0 && { updatedReplicas: updated }),
    currentRevision,
    updateRevision: update,
    collisionCount: 0,
    availableReplicas: available.length,
  };
}
