import { type KubeObject, parseQuantity } from "@microremed/sim-objects";

/** kube-controller-manager's --horizontal-pod-autoscaler-cpu-initialization-period and -initial-readiness-delay, ms. */
const initializationMs = 300_000;
const readinessDelayMs = 30_000;

/** What the containers of one pod use, as metrics-server has it. */
export interface PodUsage {
  readonly name: string;
  /** RFC 3339; absent: now. */
  readonly timestamp?: string;
  /** Go duration of seconds, such as `15s`. */
  readonly window?: string;
  readonly containers: readonly { readonly usage: Readonly<Record<"cpu" | "memory", string>> }[];
}

/** Pods by what is known of their use of a resource. */
export interface PodGroups {
  /** Those that count, with cores or bytes. */
  readonly ready: ReadonlyMap<string, number>;
  /** Those that start: what they use says nothing of the load. */
  readonly unready: readonly string[];
  /** Those that were not measured. */
  readonly missing: readonly string[];
}

interface ReadyCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** The autoscaler's `groupPods`: active pods are ready, unready or missing. `now`: ms since the epoch. */
export function groupPods(
  resource: "cpu" | "memory",
  pods: readonly KubeObject[],
  usages: readonly PodUsage[],
  now: number,
): PodGroups {
  const measured = new Map(usages.map((each) => [each.name, each]));
  const ready = new Map<string, number>();
  const unready: string[] = [];
  const missing: string[] = [];
  for (const pod of pods) {
    const { name } = pod.metadata;
    const usage = measured.get(name);
    if (pod.status?.phase === "Pending") unready.push(name);
    else if (!usage) missing.push(name);
    else if (resource === "cpu" && isStarting(pod, usage, now)) unready.push(name);
    else ready.set(name, usedBy(usage, resource));
  }
  return { ready, unready, missing };
}

const usedBy = ({ containers }: PodUsage, resource: "cpu" | "memory"): number =>
  containers.reduce((sum, { usage }) => sum + (parseQuantity(usage[resource]) ?? 0), 0);

/** Whether the CPU that a pod uses is still that of its start. */
function isStarting({ status }: KubeObject, { timestamp, window = "0s" }: PodUsage, now: number): boolean {
  const conditions: readonly ReadyCondition[] = status?.conditions ?? [];
  const condition = conditions.find(({ type }) => type === "Ready");
  const started = Date.parse(status?.startTime ?? "");
  if (!condition || Number.isNaN(started)) return true;
  const isUnready = condition.status === "False";
  const changed = Date.parse(condition.lastTransitionTime ?? "") || 0;
  if (started + initializationMs <= now) return isUnready && started + readinessDelayMs > changed;
  const measuredAt = timestamp === undefined ? now : Date.parse(timestamp);
  return isUnready || measuredAt < changed + 1000 * Number.parseFloat(window);
}
