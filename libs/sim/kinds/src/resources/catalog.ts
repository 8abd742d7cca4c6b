import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { customTypes } from "../custom/custom-types.ts";
import { definitionsRef } from "../custom/definitions.ts";
import { apiVersionOf, type ResourceType } from "../resource-type/resource-type.ts";
import { autoscalingResources } from "./autoscaling.ts";
import { chaosMeshResources } from "./chaos-mesh.ts";
import { coreResources } from "./core.ts";
import { eventResources } from "./events.ts";
import { metricsResources } from "./metrics.ts";
import { platformResources } from "./platform.ts";
import { workloadResources } from "./workloads.ts";

/** What every cluster serves. Within a group the version named first is preferred. */
export const resourceTypes: readonly ResourceType[] = [
  ...coreResources,
  ...workloadResources,
  ...autoscalingResources,
  ...platformResources,
  ...eventResources,
  ...metricsResources,
  ...chaosMeshResources,
];

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

function serving(types: readonly ResourceType[]): Served {
  const byPath = new Map(types.map((type) => [`${apiVersionOf(type)}/${type.resource}`, type]));
  const groups = [...new Set(types.map((type) => type.group))].map((name) => ({
    name,
    versions: [...new Set(types.filter((type) => type.group === name).map((type) => type.version))],
  }));
  return { types, groups, findResource: (apiVersion, resource) => byPath.get(`${apiVersion}/${resource}`) };
}

const builtInKinds = new Map(resourceTypes.map((type) => [`${apiVersionOf(type)}/${type.kind}`, type]));

/** A built-in kind by `apps/v1` and `Deployment`. */
export function findKind(apiVersion: string, kind: string): ResourceType | undefined {
  return builtInKinds.get(`${apiVersion}/${kind}`);
}

const nameOf = ({ resource, group }: ResourceType): string => `${resource}.${group}`;
const definedApart = new Set(chaosMeshResources.map(nameOf));

function typesWith(definitions: readonly KubeObject[]): readonly ResourceType[] {
  const defined = new Set(definitions.map(({ metadata }) => metadata.name));
  // Chaos Mesh's kinds have code of their own here, but they come and go with their definitions.
  const builtIn = resourceTypes.filter(
    (type) => !definedApart.has(nameOf(type)) || defined.has(nameOf(type)),
  );
  const custom = definitions.filter(({ metadata }) => !definedApart.has(metadata.name)).flatMap(customTypes);
  return [...builtIn, ...custom];
}

export function createCatalog(store: Store): Catalog {
  let known: readonly KubeObject[] = [];
  let served = serving(typesWith(known));
  return {
    served() {
      const definitions = store.list(definitionsRef);
      const same =
        definitions.length === known.length && definitions.every((each, index) => each === known[index]);
      if (!same) {
        known = definitions;
        served = serving(typesWith(definitions));
      }
      return served;
    },
  };
}
