import { affectedObjects } from "../affected-objects.ts";
import type { TruthContext, WithParameters } from "../fault.ts";
import type { GroundTruth } from "../ground-truth.ts";
import { targetOf } from "../target.ts";
import { valueInWords } from "../value-in-words.ts";
import { fieldText, runningValueOf } from "./edits.ts";
import type { WorkloadChange } from "./workload-change.ts";

/** The part of the ground truth that follows from a fault's changes of its target's workload. */
export function truthOfChange<P>(
  change: WorkloadChange<P>,
  context: TruthContext & WithParameters<P>,
): Pick<GroundTruth, "objects" | "affected"> {
  const place = targetOf(context.environment, context.target);
  if (!place) throw new Error(`${context.environment.name} has no workload for ${context.target}`);
  const { name, workload, container } = place;
  return {
    objects: change.edits.flatMap((edit) => {
      const { path = "", wrong, others = [], right, beside } = edit.cause?.(context, place) ?? {};
      return [wrong ?? valueInWords(edit.wrong(context, place)), ...others].map((value) => ({
        kind: workload.kind,
        name,
        field: `${fieldText(edit, container.name)}${path}`,
        wrong: value,
        right: right ?? valueInWords(runningValueOf(context.environment, place, edit)),
        ...(beside && { beside }),
      }));
    }),
    affected: affectedObjects(context),
  };
}
