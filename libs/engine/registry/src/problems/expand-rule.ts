import type { Environment, Fault, ProblemFormat, ProblemRule } from "@microremed/catalogue";
import type { MadeProblem } from "./made-problem.ts";
import { faultTargetsIn } from "./targets-in.ts";

/** What rules are made into problems with. */
export interface RuleParts {
  readonly faults: ReadonlyMap<string, Fault>;
  readonly environments: ReadonlyMap<string, Environment>;
}

interface Context {
  readonly name: string;
  readonly format: Omit<ProblemFormat, "id" | "tasks">;
  /** In the rule, where its parameters are; absent: it has none. */
  readonly parametersAt?: string;
}

/**
 * The problems of a rule, which is in `field` of its suite: environment by environment, fault by fault, target by target,
 * strength by strength, and the healthy ones of each environment last. Names that are not in the catalogue make no
 * problem: they are reported by others.
 */
export function expandRule(
  rule: ProblemRule,
  field: string,
  parts: RuleParts,
  usual: readonly string[] = [],
): MadeProblem[] {
  const tasks = rule.tasks ?? usual;
  const contexts = rule.environments.flatMap((name) => {
    const environment = parts.environments.get(name);
    return environment ? contextsIn(environment, rule, parts) : [];
  });
  return contexts.flatMap(({ name, format, parametersAt }, number) => {
    const turn = number % (rule.noises?.length ?? 1);
    const noise = rule.noises?.[turn];
    const context = { ...format, ...(noise && { noise }) };
    const written = {
      "": field,
      tasks: rule.tasks ? `${field}.tasks` : "defaults.tasks",
      ...(noise && { noise: `${field}.noises[${turn}]` }),
      ...(parametersAt !== undefined && { "incident[0].parameters": `${field}.${parametersAt}` }),
    };
    if (rule.spread === "together")
      return [{ format: { ...context, id: name, ...(rule.tasks && { tasks: rule.tasks }) }, written }];
    const asked =
      rule.spread === "each" ? tasks : tasks.slice(number % tasks.length, (number % tasks.length) + 1);
    return asked.map((task) => ({
      format: { ...context, id: `${name}-${task}`, tasks: [task] },
      written,
    }));
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
      strengthsOf(rule, name).map(
        ([strength, parameters]): Context => ({
          name: [environment.name, name, target.replaceAll("/", "."), ...strength].join("-"),
          format: {
            ...common,
            incident: [{ fault: name, target, ...(parameters && { parameters }), at: 0 }],
          },
          ...(parameters && { parametersAt: `strengths.${strength.join()}.${name}` }),
        }),
      ),
    );
  });
  const healthy = Array.from({ length: rule.healthy }, (_, i) => ({
    name: `${environment.name}-calm-${String(i + 1).padStart(2, "0")}`,
    format: { ...common, incident: [] },
  }));
  return [...broken, ...healthy];
}

function targetsOf(
  fault: Fault,
  environment: Environment,
  { targets, mostTargets }: ProblemRule,
): readonly string[] {
  const possible = faultTargetsIn(fault, environment);
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
