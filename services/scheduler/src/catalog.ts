import type { EnvironmentRegistry } from "@microremed/environments";
import { faults, levels, planOf } from "@microremed/faults";
import { methodNamed, methods } from "@microremed/methods";
import type { Catalog } from "./scheduler.types.ts";

/** What this build of the product knows, over the environments, clusters (as they change) and policies at hand. */
export function createCatalog(
  environments: EnvironmentRegistry,
  clusters: { readonly names: readonly string[] },
  policies: readonly string[],
): Catalog {
  return {
    environments: environments.names(),
    methods: Object.keys(methods),
    failures: Object.keys(faults),
    plans: Object.keys(levels),
    get clusters() {
      return clusters.names;
    },
    policies,
    plan: (request) => planOf(request, environments.get(request.environment)),
    namespaceOf: (environment) => environments.get(environment).namespace,
    maxAttempts: (method, requested) => methodNamed(method).maxAttempts(requested),
  };
}
