import type { KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

/** The status of a pod that fits nowhere. `nominatedNodeName`: where room is being made for it. */
export function unschedulable(
  { status }: KubeObject,
  message: string,
  now: number,
  nominatedNodeName?: string,
): object {
  const { nominatedNodeName: _old, ...known } = status ?? {};
  const others = (known.conditions ?? []).filter((each: { type: string }) => each.type !== "PodScheduled");
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  return {
    ...known,
    phase: "Pending",
    conditions: [...others, { ...condition, lastProbeTime: null, lastTransitionTime: rfc3339(now) }],
    ...(nominatedNodeName && { nominatedNodeName }),
  };
}

/** The status of a pod with scheduling gates. */
export function gated({ status }: KubeObject, now: number): object {
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const held = { type: "PodScheduled", status: "False", reason: "SchedulingGated", message };
  const conditions = [{ ...held, lastProbeTime: null, lastTransitionTime: rfc3339(now) }];
  return { ...status, phase: "Pending", conditions };
}

/** The status of a pod that has just been bound. */
export function scheduled({ status }: KubeObject, now: number): object {
  const lastTransitionTime = rfc3339(now);
  const condition = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime };
  return { ...status, phase: "Pending", conditions: [condition] };
}

/** The status of a pod that goes for a more important one. */
export function preempted({ status }: KubeObject, scheduler: string, now: number): object {
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "PreemptionByScheduler",
    message: `${scheduler}: preempting to accommodate a higher priority pod`,
    lastProbeTime: null,
    lastTransitionTime: rfc3339(now),
  };
  return { ...status, conditions: [...(status?.conditions ?? []), condition] };
}
