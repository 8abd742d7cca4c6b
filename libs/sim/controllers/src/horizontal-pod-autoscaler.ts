import { matchesSelector } from "@microremed/kube-rules";
import type { ControllerContext } from "@microremed/sim-component-base";
import {
  isActive,
  isTerminating,
  type KubeObject,
  type MetricsProvider,
  notFound,
  parseQuantity,
  type ResourceRef,
  requestOf,
  resources,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

const source = { component: "horizontal-pod-autoscaler" };
const syncMs = 15_000;
/** Ratios this near to 1 change nothing. */
const tolerance = 0.1;
const defaultStabilizationSeconds = 300;
const noReading =
  "the HPA was unable to compute the replica count: failed to get resource metrics: no metrics returned from resource metrics API";
const validMetric = "the HPA was able to successfully calculate a replica count from the metrics";

const targets: Readonly<Record<string, ResourceRef>> = {
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  ReplicaSet: resources.replicaSets,
};

interface ResourceMetric {
  readonly resource?: {
    readonly name: "cpu" | "memory";
    readonly target: {
      readonly type: string;
      readonly averageUtilization?: number;
      readonly averageValue?: string;
    };
  };
}

interface Reading {
  readonly replicas: number;
  readonly current: object;
}

/** Scales workloads by what metrics-server says of their pods' CPU and memory. */
export function startAutoscaler(ctx: ControllerContext, metrics: MetricsProvider): void {
  const { store, loop, events } = ctx;
  /** Wishes of the stabilization window, by the autoscaler's uid. */
  const wishes = loop.keep(new Map<string, readonly { readonly at: number; readonly replicas: number }[]>());

  function read(metric: ResourceMetric, pods: readonly KubeObject[], present: number): Reading | undefined {
    const { resource } = metric;
    if (!resource) return undefined;
    const measured = new Map(metrics.pods(pods[0]?.metadata.namespace).map((each) => [each.name, each]));
    let used = 0;
    let requested = 0;
    let counted = 0;
    for (const pod of pods) {
      const containers = measured.get(pod.metadata.name)?.containers;
      if (!containers) continue;
      counted += 1;
      for (const { usage } of containers) used += parseQuantity(usage[resource.name]) ?? 0;
      for (const container of pod.spec.containers) requested += requestOf(container, resource.name);
    }
    if (counted === 0) return undefined;
    const { averageUtilization, averageValue } = resource.target;
    const wantedValue = parseQuantity(averageValue ?? "");
    if (averageUtilization === undefined && wantedValue === undefined) return undefined;
    if (averageUtilization !== undefined && requested === 0) return undefined;
    const utilization = requested > 0 ? Math.round((100 * used) / requested) : undefined;
    const ratio =
      averageUtilization !== undefined
        ? (utilization ?? 0) / averageUtilization
        : used / counted / (wantedValue ?? 1);
    const unit =
      resource.name === "cpu" ? `${Math.round((1000 * used) / counted)}m` : `${Math.round(used / counted)}`;
    return {
      replicas: Math.abs(ratio - 1) <= tolerance ? present : Math.ceil(ratio * counted),
      current: {
        type: "Resource",
        resource: {
          name: resource.name,
          current: {
            ...(utilization !== undefined && { averageUtilization: utilization }),
            averageValue: unit,
          },
        },
      },
    };
  }

  /** Going down waits until no wish of the window is higher. */
  function stabilized(scaler: KubeObject, replicas: number, present: number): number {
    const seconds: number =
      scaler.spec.behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultStabilizationSeconds;
    const now = loop.now();
    const known = wishes.get(scaler.metadata.uid) ?? [];
    const recent = [...known.filter((wish) => now - wish.at < seconds * 1000), { at: now, replicas }];
    wishes.set(scaler.metadata.uid, recent);
    return replicas < present
      ? Math.min(present, Math.max(...recent.map((wish) => wish.replicas)))
      : replicas;
  }

  function rescale(
    scaler: KubeObject,
    target: KubeObject,
    ref: ResourceRef,
    replicas: number,
    why: string,
  ): void {
    store.update(ref, { ...target, spec: { ...target.spec, replicas } }, { through: "scale" });
    const message = `New size: ${replicas}; reason: ${why}`;
    events.record(source, scaler, { type: "Normal", reason: "SuccessfulRescale", message });
  }

  /** What the autoscaler's status is to say now; scales the target if need be. */
  function judge(scaler: KubeObject): object {
    const { scaleTargetRef, minReplicas = 1, maxReplicas, metrics: wanted = [] } = scaler.spec;
    const ref = targets[scaleTargetRef.kind];
    const { namespace } = scaler.metadata;
    const target = ref && store.get(ref, namespace, scaleTargetRef.name);
    if (!ref || !target) {
      const message = `the HPA controller was unable to get the target's current scale: ${ref ? notFound(ref, scaleTargetRef.name).message : `no matches for kind ${JSON.stringify(scaleTargetRef.kind)}`}`;
      return { conditions: [conditionOf(scaler, "AbleToScale", false, "FailedGetScale", message)] };
    }
    const present: number = target.spec.replicas ?? 1;
    const able = "recommended size matches current size";
    /** Replicas that are out of bounds are put right before anybody asks for metrics. */
    const unread = (desired: number): object => ({
      observedGeneration: scaler.metadata.generation,
      currentReplicas: present,
      desiredReplicas: desired,
      conditions: [
        conditionOf(
          scaler,
          "AbleToScale",
          true,
          "SucceededRescale",
          `the HPA controller was able to update the target scale to ${desired}`,
        ),
      ],
    });
    const status = (active: boolean, reason: string, message: string, desired = present): object => ({
      observedGeneration: scaler.metadata.generation,
      currentReplicas: present,
      desiredReplicas: desired,
      conditions: [
        conditionOf(scaler, "AbleToScale", true, "ReadyForNewScale", able),
        conditionOf(scaler, "ScalingActive", active, reason, message),
      ],
    });
    if (present === 0) {
      return status(
        false,
        "ScalingDisabled",
        "scaling is disabled since the replica count of the target is zero",
      );
    }
    const bound = Math.min(maxReplicas, Math.max(minReplicas, present));
    if (bound !== present) {
      const which = present > maxReplicas ? "above Spec.MaxReplicas" : "below Spec.MinReplicas";
      rescale(scaler, target, ref, bound, `Current number of replicas ${which}`);
      return { ...unread(bound), lastScaleTime: rfc3339(loop.now()) };
    }
    const pods = store
      .list(resources.pods, namespace)
      .filter((pod) => isActive(pod) && matchesSelector(target.spec.selector, pod.metadata.labels));
    const readings = (wanted as readonly ResourceMetric[]).flatMap(
      (metric) => read(metric, pods, present) ?? [],
    );
    if (readings.length === 0) return status(false, "FailedGetResourceMetric", noReading);
    const wish = Math.max(...readings.map((reading) => reading.replicas));
    const allowed = Math.min(maxReplicas, Math.max(minReplicas, stabilized(scaler, wish, present)));
    const why = allowed > present ? "resource utilization above target" : "All metrics below target";
    if (allowed !== present) rescale(scaler, target, ref, allowed, why);
    return {
      ...status(true, "ValidMetricFound", validMetric, allowed),
      currentMetrics: readings.map((reading) => reading.current),
      ...(allowed !== present && { lastScaleTime: rfc3339(loop.now()) }),
    };
  }

  function conditionOf(
    scaler: KubeObject,
    type: string,
    ok: boolean,
    reason: string,
    message: string,
  ): object {
    const status = ok ? "True" : "False";
    const old = (scaler.status?.conditions ?? []).find((each: { type: string }) => each.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : rfc3339(loop.now());
    return { type, status, lastTransitionTime, reason, message };
  }

  loop.every(syncMs, "horizontal-pod-autoscaler", () => {
    for (const scaler of store.list(resources.horizontalPodAutoscalers)) {
      if (isTerminating(scaler)) continue;
      const status = { ...scaler.status, ...judge(scaler) };
      store.update(resources.horizontalPodAutoscalers, { ...scaler, status }, { status: true });
    }
  });
}
