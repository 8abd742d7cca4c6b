import { type Environment, type Fault, targetOf } from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import { eligibleTargets, problemsOf, sequenceNamed, unknownSequence } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Incident } from "./dataset.types.ts";

type From = Pick<Catalogue, "faults" | "noises" | "suites" | "environments" | "problems">;
type Choice = Pick<Incident, "fault" | "target" | "parameters" | "workload">;

/**
 * Every incident that a suite allows in some environments: those of its problems, else each of its faults on each possible
 * target. Throws `unknown-failure` for a suite that there is not, `invalid-request` when none fits the environments.
 */
export function incidentPool(suite: string, environments: readonly string[], from: From): Incident[] {
  assertKnown(suite, from);
  const found = environments.flatMap((name) => {
    const environment = from.environments.get(name);
    return choicesIn(environment, suite, from).map((choice) => incidentOf(choice, environment, from));
  });
  const once = new Map(found.map((incident) => [JSON.stringify(incident), incident]));
  if (once.size > 0) return [...once.values()];
  const message = `suite ${suite} has no incident in ${environments.join(", ")}`;
  throw terminal("invalid-request", message);
}

function assertKnown(suite: string, { suites, faults }: From): void {
  const names = [...suites.names, ...faults.names];
  if (!names.includes(suite)) throw terminal("unknown-failure", unknownSequence(suite, names));
}

function choicesIn(environment: Environment, suite: string, from: From): Choice[] {
  const known = from.suites.has(suite) ? from.suites.get(suite) : undefined;
  if (known && known.problems.length + known.rules.length + known.pools.length > 0)
    return (
      problemsOf({ problems: suite, seed: 0 }, from)
        .filter((problem) => problem.environment === environment.name)
        // One case has one root cause.
        .flatMap(({ incident: [only, ...others], workload }): Choice[] =>
          only && others.length === 0 ? [{ ...only, ...(workload && { workload }) }] : [],
        )
    );
  const names = known && known.draw.length > 0 ? known.draw : sequenceNamed(suite, from);
  const faults = [...new Set(names)].map(from.faults.get).filter(({ control }) => !control);
  return faults.flatMap((fault: Fault) =>
    eligibleTargets(fault, environment).map((target) => ({ fault: fault.name, target })),
  );
}

function incidentOf(
  { fault, target, parameters, workload }: Choice,
  environment: Environment,
  from: From,
): Incident {
  const known = from.faults.get(fault);
  const truth = known.truth({ environment, target, ...(parameters && { parameters }) });
  const affected = truth.affected.find(({ name }) => name in environment.workloads);
  return {
    environment: environment.name,
    ...{ fault, target },
    ...(parameters && { parameters }),
    ...(workload && { workload }),
    mechanism: truth.mechanism ?? "none",
    service: targetOf(environment, target)?.name ?? affected?.name ?? target.replaceAll(/[^a-z0-9.-]/g, "-"),
  };
}
