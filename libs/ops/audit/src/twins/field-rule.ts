import { fieldPattern, isSameField, type Problem } from "@microremed/catalogue";
import type { Catalogue } from "@microremed/registry";
import { fieldsOfFault, fieldsOfNoise, type ShownField } from "./shown-fields.ts";

/** What was changed in a problem, without any value: all that an agent knows that reads nothing else. */
export interface ChangedProblem {
  readonly isFaulty: boolean;
  readonly fields: readonly ShownField[];
}

/** The fields that a problem's faults and noises change. */
export function changedProblem(
  { environment: name, incident, noise }: Problem,
  { environments, faults, noises }: Pick<Catalogue, "environments" | "faults" | "noises">,
): ChangedProblem {
  const environment = environments.get(name);
  return {
    isFaulty: incident.length > 0,
    fields: [
      ...incident.flatMap(({ fault, target }) => fieldsOfFault(faults.get(fault), environment, target)),
      ...noise.flatMap((one) => fieldsOfNoise(noises.get(one.noise), environment, one.target ?? "")),
    ],
  };
}

/**
 * Balanced accuracy of an agent that says that something is wrong where a field was changed that it knows from faults alone: known
 * from every second problem, and asked of the others. 0.5 is chance.
 */
export function accuracyOfFields(problems: readonly ChangedProblem[]): number {
  const known = problems.filter((_, i) => i % 2 === 0);
  const asked = problems.filter((_, i) => i % 2 === 1);
  const harmless = fieldsIn(known.filter(({ isFaulty }) => !isFaulty));
  const strange = fieldsIn(known).filter((one) => !harmless.some((other) => isSame(one, other)));
  const isSaid = ({ fields }: ChangedProblem): boolean =>
    fields.some((one) => strange.some((other) => isSame(one, other)));
  const shareRight = (is: boolean): number => {
    const some = asked.filter(({ isFaulty }) => isFaulty === is);
    return some.filter((one) => isSaid(one) === is).length / some.length;
  };
  return (shareRight(true) + shareRight(false)) / 2;
}

const fieldsIn = (problems: readonly ChangedProblem[]): ShownField[] =>
  problems.flatMap(({ fields }) => fields);

const isSame = (one: ShownField, other: ShownField): boolean =>
  one.kind === other.kind && isSameField(fieldPattern(one.field), other.field);
