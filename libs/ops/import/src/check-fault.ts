import type { Environment, Fault } from "@microremed/catalogue";

/** What a fault may be injected into. */
export interface CheckedFault {
  readonly name: string;
  readonly targets: number;
  /** Why there is none; empty: there is one, or the fault does not say. */
  readonly why: string;
}

/** Counts a fault's targets in an environment, and says why it has none. */
export function checkFault(environment: Environment, fault: Fault): CheckedFault {
  const targets = fault.targets(environment).length;
  const reasons = environment.targets.flatMap((target) => {
    const why = targets > 0 ? undefined : fault.ineligible?.(environment, target);
    return why === undefined ? [] : [{ target, why }];
  });
  return { name: fault.name, targets, why: summary(reasons) };
}

interface Reason {
  readonly target: string;
  readonly why: string;
}

/** The reason that most targets share, and of further ones the rarest, for whose target the least is missing; each with its number of targets. */
function summary(reasons: readonly Reason[]): string {
  const alike = Map.groupBy(reasons, ({ target, why }) => withoutName(why, target));
  const [most, ...others] = [...alike.values()].toSorted((a, b) => b.length - a.length);
  const shown = [most, others.at(-1)].flatMap((group) => {
    const why = group?.[0]?.why;
    if (why === undefined) return [];
    return alike.size === 1 && reasons.length === 1
      ? [why]
      : [`${why} (${group?.length} of ${reasons.length} targets)`];
  });
  return shown.join("; ");
}

/** The reason as it is for every target: with its name left open. */
const withoutName = (why: string, target: string): string =>
  why
    .split(/([\w-]+)/)
    .map((word) => (word === target ? "" : word))
    .join("");
