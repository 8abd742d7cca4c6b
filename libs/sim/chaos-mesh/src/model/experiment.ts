import type { KubeObject } from "@microremed/sim-objects";
import type { ChaosRecord } from "./chaos-kind.types.ts";
import { type ChaosCondition, chaosConditions } from "./conditions.ts";
import type { DesiredPhase } from "./records.ts";

/** What Chaos Mesh keeps in an experiment's status. */
export interface ChaosStatus {
  readonly conditions?: readonly ChaosCondition[];
  readonly experiment: {
    readonly desiredPhase?: DesiredPhase;
    readonly containerRecords?: readonly ChaosRecord[];
  };
  readonly instances?: Readonly<Record<string, unknown>>;
}

/** An experiment's status; anybody with update rights may have put anything there. */
export function statusOf(object: KubeObject): ChaosStatus {
  const status = (object.status ?? {}) as Partial<ChaosStatus>;
  return { ...status, experiment: status.experiment ?? {} };
}

export function recordsOf(object: KubeObject): readonly ChaosRecord[] | undefined {
  const records = statusOf(object).experiment.containerRecords;
  return Array.isArray(records) ? records : undefined;
}

/** The object with changed experiment fields. */
export function withExperiment(
  object: KubeObject,
  change: Partial<ChaosStatus["experiment"]>,
  instances = statusOf(object).instances,
): KubeObject {
  const status = statusOf(object);
  return {
    ...object,
    status: { ...status, experiment: { ...status.experiment, ...change }, ...(instances && { instances }) },
  };
}

/** The object with its conditions brought up to date. */
export function withConditions(object: KubeObject): KubeObject {
  const conditions = chaosConditions(recordsOf(object), object.metadata.annotations);
  return { ...object, status: { ...statusOf(object), conditions } };
}
