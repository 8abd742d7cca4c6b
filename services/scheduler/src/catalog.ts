import { planOf, sequenceNames } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Catalog } from "./scheduler.types.ts";

/** What this build of the product knows, over the clusters (as they change) and policies at hand. */
export function createCatalog(
  catalogue: Pick<Catalogue, "environments" | "faults" | "suites" | "agents">,
  clusters: { readonly names: readonly string[] },
  policies: readonly string[],
): Catalog {
  const { environments, agents, faults } = catalogue;
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
    namespaceOf: (environment) => environments.get(environment).namespace,
    maxAttempts: (method, requested) => agents.get(method).maxAttempts(requested),
  };
}
