import { matchesSelector } from "@microremed/kube-rules";
import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  type ResourceRef,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { intOrPercent } from "./int-or-percent.ts";

const source = { component: "controllermanager" };
/** An eviction whose pod is still there after this long did not happen, ms. */
const disruptionTimeoutMs = 120_000;

const scaled: Readonly<Record<string, ResourceRef>> = {
  ReplicaSet: resources.replicaSets,
  StatefulSet: resources.statefulSets,
};

interface Need {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** Keeps the status of PodDisruptionBudgets: how many of a budget's pods may be evicted now. */
export function startDisruptionController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "disruption", delayMs: 20 }, reconcile);

  /** The replicas that the controllers of the pods are meant to keep. */
  function expected(pods: readonly KubeObject[]): number {
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

  function needOf({ spec }: KubeObject, pods: readonly KubeObject[]): Need {
    const { minAvailable, maxUnavailable } = spec;
    if (maxUnavailable !== undefined) {
      const expectedPods = expected(pods);
      const desiredHealthy = Math.max(0, expectedPods - intOrPercent(maxUnavailable, expectedPods, "up"));
      return { expectedPods, desiredHealthy };
    }
    if (typeof minAvailable === "number") return { expectedPods: pods.length, desiredHealthy: minAvailable };
    const expectedPods = expected(pods);
    return { expectedPods, desiredHealthy: intOrPercent(minAvailable ?? 0, expectedPods, "up") };
  }

  function reconcile(key: string): void {
    const budget = store.get(resources.podDisruptionBudgets, ...splitKey(key));
    if (!budget || isTerminating(budget)) return;
    const now = loop.now();
    const pods = store
      .list(resources.pods, budget.metadata.namespace)
      .filter((pod) => matchesSelector(budget.spec?.selector, pod.metadata.labels) && !isFinished(pod));
    if (pods.length === 0)
      events.record(source, budget, { type: "Normal", reason: "NoPods", message: "No matching pods found" });
    const disrupted = Object.entries((budget.status?.disruptedPods ?? {}) as Record<string, string>).filter(
      ([name, at]) =>
        now - Date.parse(at) < disruptionTimeoutMs &&
        pods.some((pod) => pod.metadata.name === name && !isTerminating(pod)),
    );
    const evicted = new Set(disrupted.map(([name]) => name));
    const healthy = pods.filter(
      (pod) => isReady(pod) && !isTerminating(pod) && !evicted.has(pod.metadata.name),
    );
    const { expectedPods, desiredHealthy } = needOf(budget, pods);
    const allowed = expectedPods > 0 ? Math.max(0, healthy.length - desiredHealthy) : 0;
    if (disrupted.length > 0) queue.addAfter(key, disruptionTimeoutMs);
    const status = {
      ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
      observedGeneration: budget.metadata.generation ?? 1,
      disruptionsAllowed: allowed,
      currentHealthy: healthy.length,
      desiredHealthy,
      expectedPods,
      conditions: [conditionOf(budget, allowed > 0, now)],
    };
    store.update(resources.podDisruptionBudgets, { ...budget, status }, { status: true });
  }

  function conditionOf(budget: KubeObject, allowed: boolean, now: number): object {
    const status = allowed ? "True" : "False";
    const [old] = budget.status?.conditions ?? [];
    return {
      type: "DisruptionAllowed",
      status,
      reason: allowed ? "SufficientPods" : "InsufficientPods",
      message: "",
      observedGeneration: budget.metadata.generation ?? 1,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : rfc3339(now),
    };
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
  for (const ref of [resources.deployments, resources.statefulSets])
    store.watch(ref, ({ object }) => {
      for (const budget of store.list(resources.podDisruptionBudgets, object.metadata.namespace))
        queue.add(keyOf(budget));
    });
}
