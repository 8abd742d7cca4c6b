import type { KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { ChaosEvent } from "../model/chaos-events.ts";
import type { ChaosImpl, ChaosRecord, Outcome } from "../model/chaos-kind.types.ts";
import { recordsOf, statusOf, withExperiment } from "../model/experiment.ts";
import { afterOperation, type DesiredPhase, nextOperation, type Operation } from "../model/records.ts";

export interface Operated {
  readonly object: KubeObject;
  readonly failed: boolean;
  readonly events: readonly ChaosEvent[];
}

/** Applies or recovers every record that is not yet where it should be. */
export function operate(object: KubeObject, impl: ChaosImpl, desired: DesiredPhase, now: number): Operated {
  const instances: Record<string, unknown> = { ...statusOf(object).instances };
  const events: ChaosEvent[] = [];
  let failed = false;

  const advance = (record: ChaosRecord): ChaosRecord => {
    const operation = nextOperation(record.phase, desired);
    if (!operation) return record;
    const current = withExperiment(object, {}, instances);
    const result = attempt(impl, current, record, operation);
    if (typeof result === "string") failed = true;
    else if (result.instance === null) delete instances[record.id];
    else if (result.instance !== undefined) instances[record.id] = result.instance;
    const event = eventFor(record, operation, result);
    if (event) events.push(event);
    return afterOperation(record, operation, result, rfc3339(now));
  };

  const containerRecords = (recordsOf(object) ?? []).map(advance);
  const used = Object.keys(instances).length > 0 || statusOf(object).instances !== undefined;
  return {
    object: withExperiment(object, { containerRecords }, used ? instances : undefined),
    failed,
    events,
  };
}

function attempt(
  impl: ChaosImpl,
  object: KubeObject,
  record: ChaosRecord,
  operation: Operation,
): Outcome | string {
  try {
    return operation === "Apply" ? impl.apply(object, record) : impl.recover(object, record);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function eventFor(
  record: ChaosRecord,
  operation: Operation,
  result: Outcome | string,
): ChaosEvent | undefined {
  const verb = operation === "Apply" ? "apply" : "recover";
  if (typeof result === "string")
    return {
      type: "Warning",
      reason: "Failed",
      from: "records",
      message: `Failed to ${verb} chaos: ${result}`,
      details: { type: "failed", activity: `${verb} chaos`, err: result },
    };
  const done = operation === "Apply" ? "Injected" : "Not Injected";
  if (result.phase !== done) return undefined;
  return {
    type: "Normal",
    reason: operation === "Apply" ? "Applied" : "Recovered",
    from: "records",
    message: `Successfully ${verb} chaos for ${record.id}`,
    details: { type: operation === "Apply" ? "applied" : "recovered", id: record.id },
  };
}
