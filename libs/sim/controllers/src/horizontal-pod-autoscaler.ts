import { matchesSelector } from "@microremed/kube-rules";
import type { ControllerContext } from "@microremed/sim-component-base";
import {
  isActive,
  isTerminating,
  type KubeObject,
  type MetricsProvider,
  notFound,
  type ResourceRef,
  resources,
} from "@microremed/sim-objects";
import { hpaDecision, type Wish, withoutTarget } from "./hpa-decision.ts";

const source = { component: "horizontal-pod-autoscaler" };
/** kube-controller-manager's --horizontal-pod-autoscaler-sync-period. */
const syncMs = 15_000;

const targets: Readonly<Record<string, ResourceRef>> = {
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  ReplicaSet: resources.replicaSets,
  ReplicationController: resources.replicationControllers,
};

/** Scales workloads by what metrics-server says of their pods' CPU and memory. */
export function startAutoscaler(ctx: ControllerContext, metrics: MetricsProvider): void {
  const { store, loop, events } = ctx;
  /** By the autoscaler's uid. */
  const wishes = loop.keep(new Map<string, readonly Wish[]>());

  function podsOf(target: KubeObject): readonly KubeObject[] {
    return store
      .list(resources.pods, target.metadata.namespace)
      .filter((pod) => isActive(pod) && matchesSelector(target.spec.selector, pod.metadata.labels));
  }

  function rescale(scaler: KubeObject, target: KubeObject, ref: ResourceRef, replicas: number, why: string) {
    store.update(ref, { ...target, spec: { ...target.spec, replicas } }, { through: "scale" });
    const message = `New size: ${replicas}; reason: ${why}`;
    events.record(source, scaler, { type: "Normal", reason: "SuccessfulRescale", message });
  }

  /** Scales the target if need be. Returns what the autoscaler's status is to say now. */
  function scale(scaler: KubeObject): object {
    const { kind, name } = scaler.spec.scaleTargetRef;
    const { namespace, uid } = scaler.metadata;
    const ref = targets[kind];
    const target = ref && store.get(ref, namespace, name);
    if (!target) {
      const why = ref ? notFound(ref, name).message : `no matches for kind ${JSON.stringify(kind)}`;
      return withoutTarget(scaler, why, loop.now());
    }
    const pods = podsOf(target);
    const decision = hpaDecision({
      scaler,
      target,
      pods,
      usages: metrics.pods(namespace),
      wishes: wishes.get(uid) ?? [],
      now: loop.now(),
    });
    if (decision.wishes) wishes.set(uid, decision.wishes);
    for (const warning of decision.warnings ?? [])
      events.record(source, scaler, { type: "Warning", ...warning });
    if (decision.rescale) rescale(scaler, target, ref, decision.rescale.replicas, decision.rescale.why);
    return decision.status;
  }

  loop.every(syncMs, "horizontal-pod-autoscaler", () => {
    for (const scaler of store.list(resources.horizontalPodAutoscalers)) {
      if (isTerminating(scaler)) continue;
      const status = { ...scaler.status, ...scale(scaler) };
      store.update(resources.horizontalPodAutoscalers, { ...scaler, status }, { status: true });
    }
  });
}
