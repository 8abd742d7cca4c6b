import { type Environment, type Fault, type Oracle, targetText } from "@microremed/catalogue";
import { noFailure } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";

/** A fault with the oracles by which it is judged. */
export interface JudgedFault {
  readonly fault: Fault;
  /** Shows that the fault has acted. */
  readonly symptom: Oracle;
  /** Those that must all pass for a recovery, and those that judge every recovery, in the order of their cost. */
  readonly oracles: readonly Oracle[];
}

/** Finds a fault and its oracles. Throws `unknown-failure` that lists what there is. */
export function judgedFault(
  { faults, oracles }: Pick<Catalogue, "faults" | "oracles">,
  failure: string,
): JudgedFault {
  const fault = faults.get(failure);
  const judges = oracles
    .all()
    .filter(({ name, always }) => always === true || fault.recovery.includes(name))
    .toSorted((a, b) => a.cost - b.cost);
  return { fault, symptom: oracles.get(fault.symptom), oracles: judges };
}

/** A control that is judged by every oracle of every fault which the target may be drawn for. */
export function judgedByAll(
  catalogue: Pick<Catalogue, "faults" | "oracles">,
  environment: Environment,
  target: string,
): JudgedFault {
  const faults = catalogue.faults
    .all()
    .filter((fault) => fault.targets(environment).some((ref) => targetText(ref) === target));
  const control = judgedFault(catalogue, noFailure);
  const oracles = new Set([
    ...control.oracles,
    ...faults.flatMap(({ name }) => judgedFault(catalogue, name).oracles),
  ]);
  return { ...control, oracles: [...oracles].toSorted((a, b) => a.cost - b.cost) };
}
