import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerOf,
  controllerReference,
  createWorkQueue,
} from "@microremed/sim-component-base";
import {
  isActive,
  isTerminating,
  type KubeObject,
  keyOf,
  type ResourceRef,
  resources,
  type StatusError,
  splitKey,
} from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { createPodControl, refusalOf } from "./pod-control.ts";
import { scaleStep } from "./replica-set-scale.ts";
import { replicaSetReport } from "./replica-set-status.ts";

/** A kind that keeps a number of pods, and how it selects them. */
interface SetKind {
  readonly ref: ResourceRef;
  readonly kind: string;
  readonly component: string;
  selectorOf(set: KubeObject): LabelSelector | undefined;
}

/** Keeps each ReplicaSet's number of pods. */
export function startReplicaSetController(ctx: ControllerContext): void {
  startSetController(ctx, {
    ref: resources.replicaSets,
    kind: "ReplicaSet",
    component: "replicaset-controller",
    selectorOf: ({ spec }) => spec.selector,
  });
}

/** Keeps each ReplicationController's number of pods: by the same rules, as in Kubernetes. */
export function startReplicationController(ctx: ControllerContext): void {
  startSetController(ctx, {
    ref: resources.replicationControllers,
    kind: "ReplicationController",
    component: "replication-controller",
    selectorOf: ({ spec }) => ({ matchLabels: spec.selector }),
  });
}

function startSetController(ctx: ControllerContext, { ref, kind, component, selectorOf }: SetKind): void {
  const { store, loop, podsByOwner } = ctx;
  const pods = createPodControl(ctx, component);
  const queue = createWorkQueue({ ...ctx, name: kind.toLowerCase() }, reconcile);

  function onPod(event: WatchEvent): void {
    const owner = controllerOf(event.object);
    const namespace = event.object.metadata.namespace ?? "";
    if (owner?.kind === kind) queue.add(`${namespace}/${owner.name}`);
    if (owner || event.type === "DELETED") return;
    for (const set of store.list(ref, namespace)) {
      if (matchesSelector(selectorOf(set), event.object.metadata.labels)) queue.add(keyOf(set));
    }
  }

  function claim(set: KubeObject): readonly KubeObject[] {
    const selector = selectorOf(set);
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
    const { create, remove } = scaleStep(set, active);
    for (let i = 0; i < create; i += 1) pods.create(set, set.spec.template);
    for (const pod of remove) pods.delete(set, pod);
  }

  function writeStatus(
    set: KubeObject,
    active: readonly KubeObject[],
    refused: StatusError | undefined,
  ): void {
    const { status, recheckMs } = replicaSetReport(set, active, refused?.message, loop.now());
    for (const ms of recheckMs) queue.addAfter(keyOf(set), ms);
    const { namespace, name } = set.metadata;
    store.mutate(ref, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
  }

  function reconcile(key: string): void {
    const set = store.get(ref, ...splitKey(key));
    if (!set) return;
    const claimed = isTerminating(set) ? podsByOwner.of(set.metadata.uid) : claim(set);
    const refused = isTerminating(set) ? undefined : refusalOf(() => scale(set, claimed.filter(isActive)));
    writeStatus(set, podsByOwner.of(set.metadata.uid).filter(isActive), refused);
    if (refused) throw refused;
  }

  store.watch(ref, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, onPod);
}
