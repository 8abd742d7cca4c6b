import { isAvailable, isReady, type KubeObject, readySince } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

export interface ReplicaSetReport {
  readonly status: object;
  /** Times after which a Ready pod becomes available without any change of it, ms. */
  readonly recheckMs: readonly number[];
}

/** The status of a ReplicaSet as its active pods make it. `refusal`: why it may not create the pods it wants. */
export function replicaSetReport(
  set: KubeObject,
  active: readonly KubeObject[],
  refusal: string | undefined,
  now: number,
): ReplicaSetReport {
  const minReady: number = set.spec.minReadySeconds ?? 0;
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, minReady, now));
  const status = {
    replicas: active.length,
    ...(active.length > 0 && { fullyLabeledReplicas: active.length }),
    ...(ready.length > 0 && { readyReplicas: ready.length }),
    ...(available.length > 0 && { availableReplicas: available.length }),
    observedGeneration: set.metadata.generation,
    ...(refusal !== undefined && { conditions: [failureOf(set, refusal, now)] }),
  };
  const left = ready.map((pod) => (readySince(pod) ?? now) + minReady * 1000 - now);
  return { status, recheckMs: left.filter((ms) => ms > 0) };
}

/** The first failure stays as it is until pods may be made again: each try has another message. */
function failureOf(set: KubeObject, message: string, now: number): object {
  const before = set.status?.conditions?.find(({ type }: KubeObject["spec"]) => type === "ReplicaFailure");
  if (before) return before;
  const lastTransitionTime = rfc3339(now);
  return { type: "ReplicaFailure", status: "True", lastTransitionTime, reason: "FailedCreate", message };
}
