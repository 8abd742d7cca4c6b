import type { FaultContext } from "@microremed/catalogue";
import type { Baseline, FaultParameters, Flap, FurtherFault, InjectionEvidence } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import { type JudgedFault, judgedFault } from "./judged-fault.ts";

/** One fault of an incident: where it acts, and what judges it. */
export interface IncidentPart {
  readonly context: FaultContext;
  readonly judged: JudgedFault;
  /** Its place in the incident, from 0. */
  readonly number: number;
}

/** One whose injection was proven. */
export interface ProvenPart extends IncidentPart {
  /** What was measured before the incident. */
  readonly baseline: Baseline;
  readonly injection: Pick<InjectionEvidence, "nodes" | "otherNodes">;
}

/** The first fault of an incident, and the others in the order of their times. */
export interface Incident {
  readonly failure: string;
  readonly target: string;
  readonly parameters?: FaultParameters | undefined;
  readonly flap?: Flap | undefined;
  readonly further?: readonly FurtherFault[] | undefined;
}

/** The first fault of an incident with everything that judges a recovery. */
export function firstPart(
  arena: Omit<FaultContext, "target" | "parameters">,
  { failure, target, parameters, flap }: Incident,
  catalogue: Pick<Catalogue, "faults" | "oracles">,
): IncidentPart {
  return {
    context: { ...arena, target, ...(parameters && { parameters }), ...(flap && { flap }) },
    judged: judgedFault(catalogue, failure),
    number: 0,
  };
}

/**
 * The others, each with the oracles that it names alone, and those that measure around its target: the others that judge
 * every recovery compare the whole arena, which is done once, with the first.
 */
export function furtherParts(
  arena: Omit<FaultContext, "target" | "parameters">,
  { failure, further = [] }: Pick<Incident, "failure" | "further">,
  catalogue: Pick<Catalogue, "faults" | "oracles">,
): IncidentPart[] {
  const failures = [failure, ...further.map((one) => one.failure)];
  return further.map((one, i) => {
    const { context, judged } = firstPart(arena, one, catalogue);
    const repeated = failures.slice(0, i + 1).filter((name) => name === one.failure).length;
    return {
      context: { ...context, ...(repeated > 0 && { repeated }) },
      judged: {
        ...judged,
        oracles: judged.oracles.filter(({ always, aroundTarget }) => !always || aroundTarget),
      },
      number: i + 1,
    };
  });
}
