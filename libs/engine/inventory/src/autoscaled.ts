import type { KubeObject } from "@microremed/cluster";
import { isJsonObject, oncePerFrozen } from "@microremed/core";
import { identityOf } from "./inventory.ts";

/** How many replicas an autoscaler may ask for. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/**
 * Whether the number of a workload's replicas is an autoscaler's of the record to decide: the autoscaler changes it as the load
 * goes, within its bounds.
 */
export function autoscaledBy(
  record: readonly KubeObject[],
): (workload: KubeObject, replicas: unknown) => boolean {
  const ranges = new Map(
    record.flatMap(({ kind, spec }) => (kind === "HorizontalPodAutoscaler" ? rangeOf(spec) : [])),
  );
  return (workload, replicas) => {
    const range = ranges.size === 0 ? undefined : ranges.get(identityOf(workload));
    return (
      range !== undefined && typeof replicas === "number" && replicas >= range.least && replicas <= range.most
    );
  };
}

function rangeOf(spec: unknown): [string, Range][] {
  if (!isJsonObject(spec)) return [];
  const { scaleTargetRef: of, minReplicas = 1, maxReplicas } = spec;
  if (!isJsonObject(of)) return [];
  return [[`${of["kind"]}/${of["name"]}`, { least: Number(minReplicas), most: Number(maxReplicas) }]];
}

/** A normalised workload without its number of replicas. */
export const withoutReplicas = oncePerFrozen((workload: KubeObject): KubeObject => {
  const { spec, ...rest } = workload;
  if (!isJsonObject(spec)) return workload;
  const { replicas: _, ...others } = spec;
  return { ...rest, spec: others } as KubeObject;
});
