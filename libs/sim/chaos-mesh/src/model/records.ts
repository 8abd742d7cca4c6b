import type { ChaosRecord, Outcome, Phase, RecordEvent } from "./chaos-kind.types.ts";

export type Operation = "Apply" | "Recover";
export type DesiredPhase = "Run" | "Stop";

/** Older events of a record are dropped above this. */
const maxEvents = 100;

/** The freshly selected record of one target. */
export function newRecord(id: string, selectorKey: string): ChaosRecord {
  return { id, selectorKey, phase: "Not Injected", injectedCount: 0, recoveredCount: 0, events: [] };
}

/** What has to be done with a record in this phase; a fault that is half on must be finished before it is taken off. */
export function nextOperation(phase: Phase, desired: DesiredPhase): Operation | undefined {
  if (desired === "Run") {
    if (phase === "Injected") return undefined;
    return phase === "Injected/Wait" ? "Recover" : "Apply";
  }
  if (phase === "Not Injected") return undefined;
  return phase === "Not Injected/Wait" ? "Apply" : "Recover";
}

/** The record after an operation; `result` is the outcome or the message of a failure. */
export function afterOperation(
  record: ChaosRecord,
  operation: Operation,
  result: Outcome | string,
  timestamp: string,
): ChaosRecord {
  if (typeof result === "string")
    return addEvent(record, { type: "Failed", operation, message: result, timestamp });
  const moved = { ...record, phase: result.phase };
  if (result.phase === "Injected" && operation === "Apply")
    return addEvent(
      { ...moved, injectedCount: record.injectedCount + 1 },
      { type: "Succeeded", operation, timestamp },
    );
  if (result.phase === "Not Injected" && operation === "Recover")
    return addEvent(
      { ...moved, recoveredCount: record.recoveredCount + 1 },
      { type: "Succeeded", operation, timestamp },
    );
  return moved;
}

function addEvent(record: ChaosRecord, event: RecordEvent): ChaosRecord {
  return { ...record, events: [...record.events, event].slice(-maxEvents) };
}
