import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerOf,
  createDefaulted,
  createWorkQueue,
} from "@microremed/sim-component-base";
import {
  isAvailable,
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  readySince,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { createControllerRevisions, templateOf } from "./controller-revisions.ts";
import { claimsOf, ordinalOf, podOf, revisionOfPod } from "./stateful-set-pods.ts";

const source = { component: "statefulset-controller" };

interface Revisions {
  readonly current: KubeObject;
  readonly update: KubeObject;
}

/** Keeps StatefulSets: pods with fixed names and claims, started and replaced in order. */
export function startStatefulSetController(ctx: ControllerContext): void {
  const { store, loop, events, podsByOwner } = ctx;
  const revisions = createControllerRevisions(ctx);
  const queue = createWorkQueue({ ...ctx, name: "statefulset" }, reconcile);
  const say = (set: KubeObject, reason: string, message: string): void =>
    events.record(source, set, { type: "Normal", reason, message });

  const replicasOf = (set: KubeObject): number => set.spec.replicas ?? 1;
  const firstOf = (set: KubeObject): number => set.spec.ordinals?.start ?? 0;
  const inOrder = (set: KubeObject): boolean => set.spec.podManagementPolicy !== "Parallel";
  const partitionOf = (set: KubeObject): number => set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;

  function podsOf(set: KubeObject): readonly KubeObject[] {
    return podsByOwner
      .of(set.metadata.uid)
      .filter((pod) => matchesSelector(set.spec.selector, pod.metadata.labels))
      .sort((a, b) => ordinalOf(a) - ordinalOf(b));
  }

  function isHealthy(set: KubeObject, pod: KubeObject): boolean {
    const minReady: number = set.spec.minReadySeconds ?? 0;
    const since = readySince(pod);
    const left = since === undefined ? 0 : since + minReady * 1000 - loop.now();
    if (left > 0) queue.addAfter(keyOf(set), left);
    return pod.status?.phase === "Running" && !isTerminating(pod) && isAvailable(pod, minReady, loop.now());
  }

  function create(set: KubeObject, ordinal: number, { current, update }: Revisions): void {
    for (const claim of claimsOf(set, ordinal)) {
      const { namespace, name = "" } = claim.metadata;
      if (store.get(resources.persistentVolumeClaims, namespace, name)) continue;
      createDefaulted(store, resources.persistentVolumeClaims, claim);
      const podName = `${set.metadata.name}-${ordinal}`;
      say(
        set,
        "SuccessfulCreate",
        `create Claim ${name} Pod ${podName} in StatefulSet ${set.metadata.name} success`,
      );
    }
    const revision = ordinal - firstOf(set) < partitionOf(set) ? current : update;
    const pod = createDefaulted(
      store,
      resources.pods,
      podOf(set, templateOf(revision), ordinal, revision.metadata.name),
    );
    say(
      set,
      "SuccessfulCreate",
      `create Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    );
  }

  function remove(set: KubeObject, pod: KubeObject): void {
    store.delete(resources.pods, pod.metadata.namespace, pod.metadata.name, {
      preconditions: { uid: pod.metadata.uid },
    });
    say(
      set,
      "SuccessfulDelete",
      `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    );
  }

  /** Brings up missing pods from the lowest ordinal. Returns false when it must wait before anything else. */
  function startMissing(set: KubeObject, pods: readonly KubeObject[], both: Revisions): boolean {
    for (let ordinal = firstOf(set); ordinal < firstOf(set) + replicasOf(set); ordinal += 1) {
      const pod = pods.find((each) => ordinalOf(each) === ordinal);
      if (!pod) {
        create(set, ordinal, both);
        if (inOrder(set)) return false;
        continue;
      }
      if (isFinished(pod) && !isTerminating(pod)) remove(set, pod);
      if (inOrder(set) && !isHealthy(set, pod)) return false;
    }
    return true;
  }

  /** Takes down pods beyond the wanted number from the highest ordinal. Returns false when it must wait. */
  function stopSurplus(set: KubeObject, pods: readonly KubeObject[]): boolean {
    const end = firstOf(set) + replicasOf(set);
    const surplus = pods.filter((pod) => ordinalOf(pod) >= end || ordinalOf(pod) < firstOf(set)).reverse();
    for (const pod of surplus) {
      if (!isTerminating(pod)) remove(set, pod);
      if (inOrder(set)) return false;
    }
    return true;
  }

  /** Replaces pods of another revision from the highest ordinal, one at a time. */
  function replaceOutdated(set: KubeObject, pods: readonly KubeObject[], update: KubeObject): void {
    if (set.spec.updateStrategy?.type === "OnDelete") return;
    for (const pod of [...pods].reverse()) {
      if (ordinalOf(pod) - firstOf(set) < partitionOf(set)) return;
      if (revisionOfPod(pod) !== update.metadata.name && !isTerminating(pod)) {
        remove(set, pod);
        return;
      }
      if (!isHealthy(set, pod)) return;
    }
  }

  function writeStatus(set: KubeObject, { current, update }: Revisions): void {
    const pods = podsOf(set);
    const live = pods.filter((pod) => !isTerminating(pod));
    const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod));
    const available = ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, loop.now()));
    const updated = live.filter((pod) => revisionOfPod(pod) === update.metadata.name).length;
    const replicas = pods.length;
    const done =
      set.spec.updateStrategy?.type !== "OnDelete" && updated === replicas && ready.length === replicas;
    const currentName = done ? update.metadata.name : current.metadata.name;
    const onCurrent = live.filter((pod) => revisionOfPod(pod) === currentName).length;
    const status = {
      observedGeneration: set.metadata.generation,
      replicas,
      ...(ready.length > 0 && { readyReplicas: ready.length }),
      ...(onCurrent > 0 && { currentReplicas: onCurrent }),
      ...(updated > 0 && { updatedReplicas: updated }),
      currentRevision: currentName,
      updateRevision: update.metadata.name,
      collisionCount: 0,
      availableReplicas: available.length,
    };
    const { namespace, name } = set.metadata;
    store.mutate(resources.statefulSets, namespace, name, (fresh) => ({ ...fresh, status }), {
      status: true,
    });
  }

  function reconcile(key: string): void {
    const set = store.get(resources.statefulSets, ...splitKey(key));
    if (!set || isTerminating(set)) return;
    const update = revisions.current(set);
    const current = revisions.get(set, set.status?.currentRevision ?? "") ?? update;
    const both = { current, update };
    const pods = podsOf(set);
    if (startMissing(set, pods, both) && stopSurplus(set, pods)) replaceOutdated(set, podsOf(set), update);
    writeStatus(set, both);
    const inUse = new Set([
      update.metadata.name,
      current.metadata.name,
      ...pods.map((pod) => revisionOfPod(pod) ?? ""),
    ]);
    revisions.cleanUp(set, inUse);
  }

  store.watch(resources.statefulSets, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "StatefulSet") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
}
