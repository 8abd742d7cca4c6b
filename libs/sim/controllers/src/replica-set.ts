import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerOf,
  controllerReference,
  createWorkQueue,
} from "@microremed/sim-component-base";
import {
  isActive,
  isAvailable,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  readySince,
  resources,
  StatusError,
  splitKey,
} from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";
import { createPodControl } from "./pod-control.ts";
import { podsToDelete } from "./pods-to-delete.ts";

/** As the real controller's burst: pods created or deleted in one reconcile. */
const burst = 500;

/** Keeps each ReplicaSet's number of pods. */
export function startReplicaSetController(ctx: ControllerContext): void {
  const { store, loop, podsByOwner } = ctx;
  const pods = createPodControl(ctx, "replicaset-controller");
  const queue = createWorkQueue({ ...ctx, name: "replicaset" }, reconcile);

  function onPod(event: WatchEvent): void {
    const owner = controllerOf(event.object);
    const namespace = event.object.metadata.namespace ?? "";
    if (owner?.kind === "ReplicaSet") queue.add(`${namespace}/${owner.name}`);
    if (owner || event.type === "DELETED") return;
    for (const set of store.list(resources.replicaSets, namespace)) {
      if (matchesSelector(set.spec.selector, event.object.metadata.labels)) queue.add(keyOf(set));
    }
  }

  function claim(set: KubeObject): readonly KubeObject[] {
    const { selector } = set.spec;
    const namespace = set.metadata.namespace;
    const owned: KubeObject[] = [];
    for (const pod of podsByOwner.of(set.metadata.uid)) {
      if (matchesSelector(selector, pod.metadata.labels)) owned.push(pod);
      else release(set, pod);
    }
    for (const pod of podsByOwner.orphans(namespace)) {
      if (!isActive(pod) || !matchesSelector(selector, pod.metadata.labels)) continue;
      const ownerReferences = [...(pod.metadata.ownerReferences ?? []), controllerReference(set)];
      owned.push(store.update(resources.pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } }));
    }
    return owned;
  }

  function release(set: KubeObject, pod: KubeObject): void {
    const ownerReferences =
      pod.metadata.ownerReferences?.filter((owner) => owner.uid !== set.metadata.uid) ?? [];
    store.update(resources.pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } });
  }

  function scale(set: KubeObject, active: readonly KubeObject[]): void {
    const wanted: number = set.spec.replicas ?? 1;
    for (let i = 0; i < Math.min(wanted - active.length, burst); i += 1) pods.create(set, set.spec.template);
    const surplus = Math.min(active.length - wanted, burst);
    if (surplus > 0) for (const pod of podsToDelete(active, surplus)) pods.delete(set, pod);
  }

  function tryToScale(set: KubeObject, active: readonly KubeObject[]): StatusError | undefined {
    try {
      scale(set, active);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError && error.code === 403) return error;
      throw error;
    }
  }

  function writeStatus(
    set: KubeObject,
    active: readonly KubeObject[],
    refused: StatusError | undefined,
  ): void {
    const now = loop.now();
    const minReady: number = set.spec.minReadySeconds ?? 0;
    const ready = active.filter(isReady);
    const available = ready.filter((pod) => isAvailable(pod, minReady, now));
    for (const pod of ready) {
      const left = (readySince(pod) ?? now) + minReady * 1000 - now;
      if (left > 0) queue.addAfter(keyOf(set), left);
    }
    const status = {
      replicas: active.length,
      ...(active.length > 0 && { fullyLabeledReplicas: active.length }),
      ...(ready.length > 0 && { readyReplicas: ready.length }),
      ...(available.length > 0 && { availableReplicas: available.length }),
      observedGeneration: set.metadata.generation,
      ...(refused && { conditions: [failure(set, refused)] }),
    };
    store.mutate(
      resources.replicaSets,
      set.metadata.namespace,
      set.metadata.name,
      (fresh) => ({ ...fresh, status }),
      { status: true },
    );
  }

  function failure(set: KubeObject, { message }: StatusError): object {
    const before = set.status?.conditions?.find(({ type }: KubeObject["spec"]) => type === "ReplicaFailure");
    const lastTransitionTime = before?.lastTransitionTime ?? rfc3339(loop.now());
    return { type: "ReplicaFailure", status: "True", lastTransitionTime, reason: "FailedCreate", message };
  }

  function reconcile(key: string): void {
    const set = store.get(resources.replicaSets, ...splitKey(key));
    if (!set) return;
    const claimed = isTerminating(set) ? podsByOwner.of(set.metadata.uid) : claim(set);
    const refused = isTerminating(set) ? undefined : tryToScale(set, claimed.filter(isActive));
    writeStatus(set, podsByOwner.of(set.metadata.uid).filter(isActive), refused);
    if (refused) throw refused;
  }

  store.watch(resources.replicaSets, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, onPod);
}
