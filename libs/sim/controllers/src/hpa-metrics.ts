import { type KubeObject, parseQuantity, requestOf } from "@microremed/sim-objects";

/** Ratios this near to 1 change nothing. */
const tolerance = 0.1;

export interface ResourceMetric {
  readonly resource?: {
    readonly name: "cpu" | "memory";
    readonly target: {
      readonly type: string;
      readonly averageUtilization?: number;
      readonly averageValue?: string;
    };
  };
}

/** What the containers of one pod use, as metrics-server has it. */
export interface PodUsage {
  readonly name: string;
  readonly containers: readonly { readonly usage: Readonly<Record<"cpu" | "memory", string>> }[];
}

export interface Reading {
  /** The size that brings this metric to its target. */
  readonly replicas: number;
  /** As shown in the autoscaler's `currentMetrics`. */
  readonly current: object;
}

interface Totals {
  readonly used: number;
  readonly requested: number;
  readonly pods: number;
}

/** Cores or bytes of those pods that were measured. */
function totalsOf(
  resource: "cpu" | "memory",
  pods: readonly KubeObject[],
  usages: readonly PodUsage[],
): Totals {
  const measured = new Map(usages.map((each) => [each.name, each]));
  let used = 0;
  let requested = 0;
  let counted = 0;
  for (const pod of pods) {
    const containers = measured.get(pod.metadata.name)?.containers;
    if (!containers) continue;
    counted += 1;
    for (const { usage } of containers) used += parseQuantity(usage[resource]) ?? 0;
    for (const container of pod.spec.containers) requested += requestOf(container, resource);
  }
  return { used, requested, pods: counted };
}

/** What one metric of an autoscaler asks for; undefined when it can't be computed. `present`: replicas now. */
export function readMetric(
  { resource }: ResourceMetric,
  pods: readonly KubeObject[],
  usages: readonly PodUsage[],
  present: number,
): Reading | undefined {
  if (!resource) return undefined;
  const { used, requested, pods: counted } = totalsOf(resource.name, pods, usages);
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
  const current = {
    ...(utilization !== undefined && { averageUtilization: utilization }),
    averageValue: unit,
  };
  return {
    replicas: Math.abs(ratio - 1) <= tolerance ? present : Math.ceil(ratio * counted),
    current: { type: "Resource", resource: { name: resource.name, current } },
  };
}
