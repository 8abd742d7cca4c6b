import type { EnvironmentRegistry } from "@microremed/environments";
import { faults, levels, planOf } from "@microremed/faults";
import type { Catalogue } from "@microremed/registry";
import type { Catalog } from "./scheduler.types.ts";

/** What this build of the product knows, over the environments, clusters (as they change) and policies at hand. */
export function createCatalog(
  environments: EnvironmentRegistry,
  clusters: { readonly names: readonly string[] },
  policies: readonly string[],
  agents: Catalogue["agents"],
): Catalog {
  return {
    environments: environments.names(),
    methods: agents.names,
    failures: Object.keys(faults),
    plans: Object.keys(levels),
    get clusters() {
      return clusters.names;
    },
    policies,
    plan: (request) => planOf(request, environments.get(request.environment)),
    namespaceOf: (environment) => environments.get(environment).namespace,
    maxAttempts: (method, requested) => agents.get(method).maxAttempts(requested),
  };
}
