import type { Environment, Fault, ProblemFormat, ProblemRule } from "@microremed/catalogue";
import { targetText } from "@microremed/catalogue";

/** What rules are made into problems with. */
export interface RuleParts {
  readonly faults: ReadonlyMap<string, Fault>;
  readonly environments: ReadonlyMap<string, Environment>;
}

type Context = Omit<ProblemFormat, "id" | "tasks"> & { readonly name: string };

/**
 * The problems of a rule: environment by environment, fault by fault, target by target, strength by strength, and the
 * healthy ones of each environment last. Names that are not in the catalogue make no problem: they are reported by others.
 */
export function expandRule(
  rule: ProblemRule,
  parts: RuleParts,
  usual: readonly string[] = [],
): ProblemFormat[] {
  const tasks = rule.tasks ?? usual;
  const contexts = rule.environments.flatMap((name) => {
    const environment = parts.environments.get(name);
    return environment ? contextsIn(environment, rule, parts) : [];
  });
  return contexts.flatMap(({ name, ...plain }, number) => {
    const noise = rule.noises?.[number % rule.noises.length];
    const context = { ...plain, ...(noise && { noise }) };
    if (rule.spread === "together")
      return [{ ...context, id: name, ...(rule.tasks && { tasks: rule.tasks }) }];
    const asked =
      rule.spread === "each" ? tasks : tasks.slice(number % tasks.length, (number % tasks.length) + 1);
    return asked.map((task) => ({ ...context, id: `${name}-${task}`, tasks: [task] }));
  });
}

function contextsIn(environment: Environment, rule: ProblemRule, { faults }: RuleParts): Context[] {
  const { information, limits, noise, workload, watch, heldOut } = rule;
  const common = {
    environment: environment.name,
    ...(information && { information }),
    ...(limits && { limits }),
    ...(watch && { watch }),
    ...(noise && { noise }),
    ...(workload && { workload }),
    ...(heldOut && { heldOut }),
  };
  const broken = rule.faults.flatMap((name) => {
    const fault = faults.get(name);
    const targets = fault ? targetsOf(fault, environment, rule) : [];
    return targets.flatMap((target) =>
      strengthsOf(rule, name).map(([strength, parameters]) => ({
        ...common,
        name: [environment.name, name, target.replaceAll("/", "."), ...strength].join("-"),
        incident: [{ fault: name, target, ...(parameters && { parameters }), at: 0 }],
      })),
    );
  });
  const healthy = Array.from({ length: rule.healthy }, (_, i) => ({
    ...common,
    name: `${environment.name}-calm-${String(i + 1).padStart(2, "0")}`,
    incident: [],
  }));
  return [...broken, ...healthy];
}

function targetsOf(fault: Fault, environment: Environment, { targets, mostTargets }: ProblemRule): string[] {
  const possible = fault.targets(environment).map(targetText);
  const wanted = targets ? possible.filter((one) => targets.includes(one)) : possible;
  if (mostTargets === undefined || wanted.length <= mostTargets) return wanted;
  return Array.from(
    { length: mostTargets },
    (_, i) => wanted[Math.floor((i * wanted.length) / mostTargets)] ?? "",
  );
}

/** Without strengths, the fault's own values under no name. */
function strengthsOf(
  { strengths }: ProblemRule,
  fault: string,
): [strength: string[], parameters: Record<string, unknown> | undefined][] {
  if (!strengths) return [[[], undefined]];
  return Object.entries(strengths).map(([strength, of]) => [
    [strength],
    Object.hasOwn(of, fault) ? of[fault] : undefined,
  ]);
}
