import type { FaultParameters, Flapping } from "@microremed/contracts";
import type { Environment } from "./environment/environment.types.ts";
import type { Fault } from "./fault.ts";
import type { GroundTruth } from "./ground-truth.ts";

/** Where a fault is, with what, and how it comes and goes; what is absent or null is the fault's own. */
export interface PlacedFault {
  readonly target: string;
  readonly parameters?: FaultParameters | null | undefined;
  readonly flap?: Flapping | null | undefined;
}

/** The ground truth of a fault as an incident has it. */
export function truthOf(
  { truth }: Pick<Fault, "truth">,
  environment: Environment,
  { target, parameters, flap }: PlacedFault,
): GroundTruth {
  return truth({ environment, target, ...(parameters && { parameters }), ...(flap && { flap }) });
}
