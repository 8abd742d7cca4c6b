import { autoscalingResources } from "./autoscaling.ts";
import { chaosMeshResources } from "./chaos-mesh.ts";
import { coreResources } from "./core.ts";
import { eventResources } from "./events.ts";
import { metricsResources } from "./metrics.ts";
import { platformResources } from "./platform.ts";
import { apiVersionOf, type ResourceType } from "./resource-type.ts";
import { workloadResources } from "./workloads.ts";

/** Everything that is served. Within a group the version named first is preferred. */
export const resourceTypes: readonly ResourceType[] = [
  ...coreResources,
  ...workloadResources,
  ...autoscalingResources,
  ...platformResources,
  ...eventResources,
  ...metricsResources,
  ...chaosMeshResources,
];

const byPath = new Map(resourceTypes.map((type) => [`${apiVersionOf(type)}/${type.resource}`, type]));
const byKind = new Map(resourceTypes.map((type) => [`${apiVersionOf(type)}/${type.kind}`, type]));

/** By `apps/v1` and `deployments`. */
export function findResource(apiVersion: string, resource: string): ResourceType | undefined {
  return byPath.get(`${apiVersion}/${resource}`);
}

/** By `apps/v1` and `Deployment`. */
export function findKind(apiVersion: string, kind: string): ResourceType | undefined {
  return byKind.get(`${apiVersion}/${kind}`);
}

export interface ApiGroup {
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly string[];
}

/** Groups with their versions, the core group (named "") first. */
export const apiGroups: readonly ApiGroup[] = [...new Set(resourceTypes.map((type) => type.group))].map(
  (name) => ({
    name,
    versions: [...new Set(resourceTypes.filter((type) => type.group === name).map((type) => type.version))],
  }),
);
