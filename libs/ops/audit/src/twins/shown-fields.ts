import { type Environment, type Fault, fieldPattern, isHidden, type Noise } from "@microremed/catalogue";

/** A field of an object that someone has changed. */
export interface ShownField {
  readonly kind: string;
  /** Without the names of list items: `spec.template.spec.containers[].env[].value`. */
  readonly field: string;
}

/** The fields that a fault changes for an agent to see. None: what it acts by is concealed, or no field says it. */
export function fieldsOfFault(fault: Fault, environment: Environment, target: string): ShownField[] {
  if (fault.control || fault.cause) return [];
  return fault
    .truth({ environment, target })
    .objects.filter((one) => !isHidden(one) && one.field !== "")
    .map(({ kind, field }) => ({ kind, field: fieldPattern(field) }));
}

/** The fields that a noise says to change. */
export function fieldsOfNoise(noise: Noise, environment: Environment, target: string): ShownField[] {
  const kinds = new Set(noise.decoys({ environment, target }).map(({ kind }) => kind));
  return (noise.changes ?? []).flatMap((field) => [...kinds].map((kind) => ({ kind, field })));
}
