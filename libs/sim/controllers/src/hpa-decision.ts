import type { KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { type Reading, type ResourceMetric, readMetric } from "./hpa-metrics.ts";
import type { PodUsage } from "./hpa-pods.ts";

/** kube-controller-manager's --horizontal-pod-autoscaler-downscale-stabilization. */
const defaultStabilizationSeconds = 300;
const unable = "the HPA was unable to compute the replica count";
const validMetric = "the HPA was able to successfully calculate a replica count from the metrics";

/** A size that the metrics asked for at a time, ms. */
export interface Wish {
  readonly at: number;
  readonly replicas: number;
}

export interface HpaFacts {
  readonly scaler: KubeObject;
  /** The workload that it scales. */
  readonly target: KubeObject;
  /** The workload's active pods. */
  readonly pods: readonly KubeObject[];
  readonly usages: readonly PodUsage[];
  /** Of the stabilization window. */
  readonly wishes: readonly Wish[];
  readonly now: number;
}

export interface HpaDecision {
  readonly status: object;
  readonly rescale?: { readonly replicas: number; readonly why: string };
  /** With the present one; undefined: nothing was computed. */
  readonly wishes?: readonly Wish[];
  /** What it warns of in events. */
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
}

type ConditionText = readonly [type: string, ok: boolean, reason: string, message: string];

/** What an autoscaler does now: bounds first, then its metrics. */
export function hpaDecision(facts: HpaFacts): HpaDecision {
  const { scaler, target, now } = facts;
  const { minReplicas = 1, maxReplicas } = scaler.spec;
  const present: number = target.spec.replicas ?? 1;
  if (present === 0) {
    const why = "scaling is disabled since the replica count of the target is zero";
    return { status: sized(facts, 0, ableToScale, ["ScalingActive", false, "ScalingDisabled", why]) };
  }
  const bound = Math.min(maxReplicas, Math.max(minReplicas, present));
  if (bound === present) return byMetrics(facts, present);
  const which = present > maxReplicas ? "above Spec.MaxReplicas" : "below Spec.MinReplicas";
  const done = `the HPA controller was able to update the target scale to ${bound}`;
  const status = sized(facts, bound, ["AbleToScale", true, "SucceededRescale", done]);
  return {
    status: { ...status, lastScaleTime: rfc3339(now) },
    rescale: { replicas: bound, why: `Current number of replicas ${which}` },
  };
}

const ableToScale: ConditionText = [
  "AbleToScale",
  true,
  "ReadyForNewScale",
  "recommended size matches current size",
];

function byMetrics(facts: HpaFacts, present: number): HpaDecision {
  const { scaler, now } = facts;
  const { minReplicas = 1, maxReplicas, metrics = [] } = scaler.spec;
  const results = (metrics as readonly ResourceMetric[]).map((metric) => ({
    metric,
    result: readMetric(metric, { ...facts, present }),
  }));
  const readings = results.flatMap(({ result }): Reading[] => ("failure" in result ? [] : [result]));
  const wanted = Math.max(...readings.map((reading) => reading.replicas));
  // What other metrics say is enough to grow, and not to shrink.
  const isBlind = readings.length < results.length && !(wanted >= present);
  if (readings.length === 0 || isBlind) return withoutReading(facts, present, results);
  const wish = { at: now, replicas: wanted };
  const wishes = [...recentWishes(facts), wish];
  // Going down waits until no wish of the window is higher.
  const stable =
    wish.replicas < present
      ? Math.min(present, Math.max(...wishes.map(({ replicas }) => replicas)))
      : wish.replicas;
  const allowed = Math.min(maxReplicas, Math.max(minReplicas, stable));
  const why = allowed > present ? "resource utilization above target" : "All metrics below target";
  const changes = allowed !== present;
  const active: ConditionText = ["ScalingActive", true, "ValidMetricFound", validMetric];
  return {
    status: {
      ...sized(facts, allowed, ableToScale, active),
      currentMetrics: readings.map((reading) => reading.current),
      ...(changes && { lastScaleTime: rfc3339(now) }),
    },
    ...(changes && { rescale: { replicas: allowed, why } }),
    wishes,
  };
}

/** Nothing is scaled while a metric that is needed cannot be computed. */
function withoutReading(
  facts: HpaFacts,
  present: number,
  results: readonly { readonly metric: ResourceMetric; readonly result: ReturnType<typeof readMetric> }[],
): HpaDecision {
  const failures = results.flatMap(({ metric, result }) =>
    "failure" in result ? [{ failure: result.failure, of: metric.resource?.name ?? "" }] : [],
  );
  const [{ failure, of } = { failure: "there are no metrics", of: "" }] = failures;
  const reason = "FailedGetResourceMetric";
  const status = sized(facts, present, ableToScale, [
    "ScalingActive",
    false,
    reason,
    `${unable}: ${failure}`,
  ]);
  const invalid = `invalid metrics (${failures.length} invalid out of ${results.length}), first error is: failed to get ${of} resource metric value: ${failure}`;
  return {
    status,
    warnings: [
      { reason, message: failure },
      { reason: "FailedComputeMetricsReplicas", message: invalid },
    ],
  };
}

function recentWishes({ scaler, wishes, now }: HpaFacts): readonly Wish[] {
  const seconds: number =
    scaler.spec.behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultStabilizationSeconds;
  return wishes.filter((wish) => now - wish.at < seconds * 1000);
}

function sized({ scaler, target, now }: HpaFacts, desired: number, ...conditions: readonly ConditionText[]) {
  return {
    observedGeneration: scaler.metadata.generation,
    currentReplicas: target.spec.replicas ?? 1,
    desiredReplicas: desired,
    conditions: conditions.map((condition) => conditionOf(scaler, condition, now)),
  };
}

/** The status of an autoscaler whose target can't be read. */
export function withoutTarget(scaler: KubeObject, why: string, now: number): object {
  const message = `the HPA controller was unable to get the target's current scale: ${why}`;
  return { conditions: [conditionOf(scaler, ["AbleToScale", false, "FailedGetScale", message], now)] };
}

function conditionOf(scaler: KubeObject, [type, ok, reason, message]: ConditionText, now: number): object {
  const status = ok ? "True" : "False";
  const old = (scaler.status?.conditions ?? []).find((each: { type: string }) => each.type === type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : rfc3339(now);
  return { type, status, lastTransitionTime, reason, message };
}
