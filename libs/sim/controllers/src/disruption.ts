import { matchesSelector } from "@microremed/kube-rules";
import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  type ResourceRef,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { budgetStatus, disruptionTimeoutMs } from "./disruption-status.ts";

const source = { component: "controllermanager" };
const scaled: Readonly<Record<string, ResourceRef>> = {
  ReplicaSet: resources.replicaSets,
  ReplicationController: resources.replicationControllers,
  StatefulSet: resources.statefulSets,
};

/** Keeps the status of PodDisruptionBudgets: how many of a budget's pods may be evicted now. */
export function startDisruptionController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "disruption", delayMs: 20 }, reconcile);

  /** The replicas that the controllers of the pods are meant to keep. */
  function replicasOf(pods: readonly KubeObject[]): number {
    const wanted = new Map<string, number>();
    for (const pod of pods) {
      const owner = controllerOf(pod);
      const ref = scaled[owner?.kind ?? ""];
      if (!owner || !ref) continue;
      const { namespace } = pod.metadata;
      const set = store.get(ref, namespace, owner.name);
      const parent = set && controllerOf(set);
      const deployment =
        parent?.kind === "Deployment" ? store.get(resources.deployments, namespace, parent.name) : undefined;
      const target = deployment ?? set;
      if (target) wanted.set(target.metadata.uid, target.spec.replicas ?? 1);
    }
    return [...wanted.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  function reconcile(key: string): void {
    const budget = store.get(resources.podDisruptionBudgets, ...splitKey(key));
    if (!budget || isTerminating(budget)) return;
    const pods = store
      .list(resources.pods, budget.metadata.namespace)
      .filter((pod) => matchesSelector(budget.spec?.selector, pod.metadata.labels) && !isFinished(pod));
    if (pods.length === 0)
      events.record(source, budget, { type: "Normal", reason: "NoPods", message: "No matching pods found" });
    const status = budgetStatus({ budget, pods, replicas: replicasOf(pods), now: loop.now() });
    if (status.disruptedPods) queue.addAfter(key, disruptionTimeoutMs);
    store.update(resources.podDisruptionBudgets, { ...budget, status }, { status: true });
  }

  function enqueueFor(pod: KubeObject, previous: KubeObject | undefined): void {
    for (const budget of store.list(resources.podDisruptionBudgets, pod.metadata.namespace)) {
      const covers = (each: KubeObject | undefined): boolean =>
        each !== undefined && matchesSelector(budget.spec?.selector, each.metadata.labels);
      if (covers(pod) || covers(previous)) queue.add(keyOf(budget));
    }
  }

  store.watch(resources.podDisruptionBudgets, (event) => {
    if (event.type !== "DELETED") queue.add(keyOf(event.object));
  });
  store.watch(resources.pods, (event) =>
    enqueueFor(event.object, event.type === "DELETED" ? undefined : event.previous),
  );
  for (const ref of [resources.deployments, resources.statefulSets, resources.replicationControllers])
    store.watch(ref, ({ object }) => {
      for (const budget of store.list(resources.podDisruptionBudgets, object.metadata.namespace))
        queue.add(keyOf(budget));
    });
}
