import type { Kind } from "@microremed/cluster";
import type { Environment } from "../environment/environment.types.ts";
import type { TruthContext, WithParameters } from "../fault.ts";
import { rightValue, runningValue } from "../field-change.ts";
import type { Place } from "../target.ts";

/** A field of a workload. */
export interface WorkloadField {
  /** Whose field it is: the workload's `spec`, its pods' `spec`, or that of the target's container. */
  readonly of: "workload" | "pod" | "container";
  /** Name of the field there, such as `nodeSelector`. */
  readonly field: string;
}

/** One field of a workload that a fault gives a wrong value. The whole field is replaced. */
export interface Edit<P> extends WorkloadField {
  /** Quantities in the API server's spelling. What it adds to an object may be left out. */
  wrong(context: TruthContext & WithParameters<P>, place: Place): unknown;
  /** What the ground truth says of the field, if only a part of it is the cause. Absent: the field as a whole. */
  cause?(context: TruthContext & WithParameters<P>, place: Place): CausePart;
}

/** The part of a field that is the cause of a fault. */
export interface CausePart {
  /** Below the field, such as `.limits.memory`. Absent: the field itself. */
  readonly path?: string;
  /** Its value in words; absent: that of the whole field. */
  readonly wrong?: string;
  /** What says as much as `wrong`, such as the name of a container that should not be there. */
  readonly others?: readonly string[];
  readonly right?: string;
  /** It belongs to the fault's cause, and is none alone. */
  readonly beside?: true;
}

/** The field as a path of the ground truth: `spec.template.spec.containers[name=web].resources`. */
export function fieldText({ of, field }: WorkloadField, container: string): string {
  if (of === "workload") return `spec.${field}`;
  if (of === "pod") return `spec.template.spec.${field}`;
  return `spec.template.spec.containers[name=${container}].${field}`;
}

/** JSON pointer to the edited field; `index`: of the container. */
export function pointerTo({ of, field }: WorkloadField, index: number): string {
  if (of === "workload") return `/spec/${field}`;
  if (of === "pod") return `/spec/template/spec/${field}`;
  return `/spec/template/spec/containers/${index}/${field}`;
}

/** What the environment declares in the field; undefined: it leaves the field out. */
export function declaredValue(
  environment: Environment,
  { name, workload, container }: Place,
  field: WorkloadField,
): unknown {
  return rightValue(environment, changeOf({ name, workload, container }, field));
}

/** What the running system has in the field; undefined: nothing. */
export function runningValueOf(environment: Environment, place: Place, field: WorkloadField): unknown {
  return runningValue(environment, changeOf(place, field));
}

function changeOf({ name, workload, container }: Place, field: WorkloadField) {
  const kind: Pick<Kind, "kind"> = { kind: workload.kind };
  return { kind, name, path: pointerTo(field, workload.containers.indexOf(container)) };
}
