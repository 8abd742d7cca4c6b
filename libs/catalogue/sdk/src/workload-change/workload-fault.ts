import type { z } from "zod";
import type { CauseLabels, Evidence } from "../evidence/evidence.ts";
import type { FaultDefinition, TruthContext, WithParameters } from "../fault.ts";
import { revertConfiguration } from "../revert-configuration.ts";
import { setBack, undoRollout } from "./remedies.ts";
import { truthOfChange } from "./truth.ts";
import { type WorkloadChange, workloadChange } from "./workload-change.ts";

/** A fault that gives fields of its target's workload wrong values. */
export interface WorkloadFault<S extends z.ZodObject> extends WorkloadChange<z.output<S>>, CauseLabels {
  readonly parameters: S;
  /** One sentence: how the first field leads to the symptom. */
  readonly explanation: (context: TruthContext & WithParameters<z.output<S>>) => string;
  /** How the tools reveal it, of what gets its labels. */
  readonly evidence?: (labels: CauseLabels) => Evidence;
}

/** What follows from the fields: all of a fault but its names, targets, oracles and shortcuts. */
export type WorkloadFaultParts<S extends z.ZodObject> = Pick<
  FaultDefinition<S>,
  | "parameters"
  | "inject"
  | "status"
  | "remove"
  | "truth"
  | "repairs"
  | "rightActions"
  | "runbook"
  | "evidence"
>;

/**
 * inject, status, remove, ground truth, repairs and runbook of a fault that only changes fields of its target's workload:
 * right is what the environment declares. Its repairs are the undo of the rollout, and `set-back`.
 */
export function workloadFault<S extends z.ZodObject>(fault: WorkloadFault<S>): WorkloadFaultParts<S> {
  const { parameters, explanation, evidence, mechanism, systemLevel, faultType, ...change } = fault;
  const labels = { mechanism, systemLevel, faultType };
  return {
    parameters,
    ...workloadChange<S>(change),
    truth: (context) => ({
      ...truthOfChange(change, context),
      ...labels,
      explanation: explanation(context),
    }),
    repairs: [undoRollout, setBack(change.edits)],
    rightActions: [],
    runbook: revertConfiguration,
    ...(evidence && { evidence: evidence(labels) }),
  };
}
