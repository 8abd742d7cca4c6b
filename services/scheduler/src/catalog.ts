import { canDo } from "@microremed/catalogue";
import { parameterIssues, planOf, sequenceNames, withoutPublishedRule } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Catalog } from "./service.types.ts";

/** What this build of the product knows, over the clusters (as they change) and policies at hand. */
export function createCatalog(
  catalogue: Pick<Catalogue, "environments" | "faults" | "suites" | "agents" | "tasks">,
  clusters: { readonly names: readonly string[] },
  policies: readonly string[],
): Catalog {
  const { environments, agents, faults, tasks } = catalogue;
  return {
    environments: environments.names,
    methods: agents.names,
    failures: faults.names,
    plans: sequenceNames(catalogue),
    get clusters() {
      return clusters.names;
    },
    policies,
    plan: (request) => planOf(request, environments.get(request.environment), catalogue),
    withoutPublishedRule: (request) =>
      withoutPublishedRule(request, environments.get(request.environment), catalogue),
    parameterIssues: (request) => parameterIssues(request, environments.get(request.environment), catalogue),
    namespaceOf: (environment) => environments.get(environment).namespace,
    tasks: tasks.names,
    task: (name) => {
      const { answer, mayAct, outcomes = { passed: "solved", failed: "not-solved" } } = tasks.get(name);
      return { answered: answer !== null, mayAct, outcomes };
    },
    does: (method, task) => canDo(agents.get(method), task),
    maxAttempts: (method, requested) => agents.get(method).maxAttempts(requested),
  };
}
