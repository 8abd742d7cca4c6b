import { type Flapping, flappingText } from "@microremed/contracts";
import type { GroundTruth } from "./ground-truth.ts";

/** The truth of a fault that comes and goes says so, beside what is wrong while it acts. */
export function truthOfFlapping(truth: GroundTruth, flap: Flapping | undefined): GroundTruth {
  if (!flap) return truth;
  return { ...truth, explanation: `${truth.explanation}; ${flappingText(flap)}` };
}
