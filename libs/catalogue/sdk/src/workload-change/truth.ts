import { affectedObjects } from "../affected-objects.ts";
import type { TruthContext, WithParameters } from "../fault.ts";
import type { GroundTruth } from "../ground-truth.ts";
import { targetOf } from "../target.ts";
import { declaredValue, fieldText } from "./edits.ts";
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
    objects: change.edits(context, place).map((edit) => ({
      kind: workload.kind,
      name,
      field: fieldText(edit, container.name),
      wrong: inWords(edit.wrong),
      right: inWords(declaredValue(context.environment, place, edit)),
    })),
    affected: affectedObjects(context),
  };
}

function inWords(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
