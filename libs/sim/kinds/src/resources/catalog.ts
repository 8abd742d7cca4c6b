import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { customTypes } from "../custom/custom-types.ts";
import { definitionsRef } from "../custom/definitions.ts";
import { apiVersionOf, type ResourceType } from "../resource-type/resource-type.ts";
import { autoscalingResources } from "./autoscaling.ts";
import { coreResources } from "./core.ts";
import { eventResources } from "./events.ts";
import { metricsResources } from "./metrics.ts";
import { platformResources } from "./platform.ts";
import { workloadResources } from "./workloads.ts";

/** What every cluster serves by itself. Within a group the version named first is preferred. */
export const resourceTypes: readonly ResourceType[] = [
  ...coreResources,
  ...workloadResources,
  ...autoscalingResources,
  ...platformResources,
  ...eventResources,
  ...metricsResources,
];

/** An API group with the versions that are served, e.g. `apps` with `v1`. */
export interface ApiGroup {
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly string[];
}

/** Everything that one cluster serves now. */
export interface Served {
  readonly types: readonly ResourceType[];
  /** Groups with their versions, the core group (named "") first. */
  readonly groups: readonly ApiGroup[];
  /** By `apps/v1` and `deployments`. */
  findResource(apiVersion: string, resource: string): ResourceType | undefined;
}

/** The built-in resources and those of the cluster's CustomResourceDefinitions. */
export interface Catalog {
  served(): Served;
}

/** What is served when these types are. */
export function createServed(types: readonly ResourceType[]): Served {
  const byPath = new Map(types.map((type) => [`${apiVersionOf(type)}/${type.resource}`, type]));
  const groups = [...new Set(types.map((type) => type.group))].map((name) => ({
    name,
    versions: [...new Set(types.filter((type) => type.group === name).map((type) => type.version))],
  }));
  return { types, groups, findResource: (apiVersion, resource) => byPath.get(`${apiVersion}/${resource}`) };
}

const nameOf = ({ resource, group }: ResourceType): string => `${resource}.${group}`;

function typesWith(
  definitions: readonly KubeObject[],
  installed: readonly ResourceType[],
): readonly ResourceType[] {
  const defined = new Set(definitions.map(({ metadata }) => metadata.name));
  const apart = new Set(installed.map(nameOf));
  const custom = definitions.filter(({ metadata }) => !apart.has(metadata.name)).flatMap(customTypes);
  return [...resourceTypes, ...installed.filter((type) => defined.has(nameOf(type))), ...custom];
}

/** Follows the store's CustomResourceDefinitions. `installed`: kinds that have code of their own beside theirs. */
export function createCatalog(store: Store, installed: readonly ResourceType[] = []): Catalog {
  let known: readonly KubeObject[] = [];
  let served = createServed(typesWith(known, installed));
  return {
    served() {
      const definitions = store.list(definitionsRef);
      const same =
        definitions.length === known.length && definitions.every((each, index) => each === known[index]);
      if (!same) {
        known = definitions;
        served = createServed(typesWith(definitions, installed));
      }
      return served;
    },
  };
}
