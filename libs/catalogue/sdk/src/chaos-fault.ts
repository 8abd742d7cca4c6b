import { affectedObjects } from "./affected-objects.ts";
import { type ChaosFunctions, type ChaosObject, chaosObject } from "./chaos-object.ts";
import { chaosRepairs } from "./chaos-remedies.ts";
import type { CauseLabels, Evidence } from "./evidence/evidence.ts";
import type { TruthContext, WithParameters } from "./fault.ts";
import type { FaultType, GroundTruth, SystemLevel } from "./ground-truth.ts";
import type { Mechanism } from "./mechanisms.ts";
import type { Remedy } from "./remedy.ts";
import { type Runbook, removeCauseRunbook } from "./runbook.ts";

/** A fault that is one object of Chaos Mesh, and what is wrong while that object exists. */
export interface ChaosFault<P> extends ChaosObject<P> {
  /** Path of the field that causes the fault, its value in words, and one sentence how it leads to the symptom. */
  readonly wrong: (context: TruthContext & WithParameters<P>) => {
    readonly field: string;
    readonly value: string;
    readonly explanation: string;
  };
  readonly mechanism: Mechanism;
  readonly systemLevel: SystemLevel;
  readonly faultType: FaultType;
  /** How it is found by its effects on the workload, wherever its object is. */
  readonly evidence?: (labels: CauseLabels) => Evidence;
}

/** What follows from the Chaos Mesh object: all of a fault but its names, targets, oracles and shortcuts. */
export interface ChaosFaultParts<P> extends ChaosFunctions<P> {
  truth(context: TruthContext & WithParameters<P>): GroundTruth;
  readonly repairs: readonly Remedy[];
  readonly runbook: Runbook;
  readonly evidence?: Evidence;
}

/**
 * inject, status, remove, ground truth, repairs and runbook of a fault that is one Chaos Mesh object on one random pod of
 * the target: it is right when there is no such object, and removing it is the expert's repair.
 */
export function chaosFault<P>({
  wrong,
  mechanism,
  systemLevel,
  faultType,
  evidence,
  ...chaos
}: ChaosFault<P>): ChaosFaultParts<P> {
  const functions = chaosObject<P>(chaos);
  const { kind } = functions.cause;
  const resource = kind.toLowerCase();
  return {
    ...functions,
    truth(context) {
      const { field, value, explanation } = wrong(context);
      return {
        objects: [{ kind, name: chaos.name, field, wrong: value, right: "no such object" }],
        affected: affectedObjects(context),
        mechanism,
        explanation,
        systemLevel,
        faultType,
      };
    },
    repairs: chaosRepairs(resource),
    runbook: removeCauseRunbook(resource),
    ...(evidence && { evidence: evidence({ mechanism, systemLevel, faultType }) }),
  };
}
