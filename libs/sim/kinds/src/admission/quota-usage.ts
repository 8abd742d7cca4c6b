import {
  type Loose,
  type NewObject,
  parseQuantity,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";
import { qosClass } from "../defaults/pod.ts";
import { podAmount } from "./pod-resources.ts";

/** Amounts by the names that quotas use, e.g. `requests.cpu`. */
export type Usage = ReadonlyMap<string, number>;

const computed = ["cpu", "memory", "ephemeral-storage"] as const;

function podUsage({ spec }: Loose): Record<string, number> {
  const usage: Record<string, number> = { pods: 1 };
  for (const resource of computed) {
    const requests = podAmount(spec, "requests", resource);
    usage[resource] = requests;
    usage[`requests.${resource}`] = requests;
    usage[`limits.${resource}`] = podAmount(spec, "limits", resource);
  }
  return usage;
}

function serviceUsage({ spec }: Loose): Record<string, number> {
  const type = spec?.type ?? "ClusterIP";
  const exposed = type === "NodePort" || type === "LoadBalancer";
  return {
    services: 1,
    "services.nodeports": exposed ? (spec.ports ?? []).length : 0,
    "services.loadbalancers": type === "LoadBalancer" ? 1 : 0,
  };
}

function claimUsage({ spec }: Loose): Record<string, number> {
  const storage = parseQuantity(spec?.resources?.requests?.storage) ?? 0;
  const storageClass = spec?.storageClassName;
  const prefix = `${storageClass}.storageclass.storage.k8s.io`;
  return {
    persistentvolumeclaims: 1,
    "requests.storage": storage,
    ...(storageClass && { [`${prefix}/requests.storage`]: storage, [`${prefix}/persistentvolumeclaims`]: 1 }),
  };
}

const measures: Readonly<Record<string, (object: Loose) => Record<string, number>>> = {
  pods: podUsage,
  services: serviceUsage,
  persistentvolumeclaims: claimUsage,
};
const counted = new Set(["configmaps", "secrets", "replicationcontrollers", "resourcequotas"]);

/** What one object takes of its namespace's quotas; pods that have ended take nothing. */
export function usageOf(ref: ResourceRef, object: NewObject): Usage {
  const key = qualified(ref);
  const phase = object.status?.phase;
  if (key === "pods" && (phase === "Succeeded" || phase === "Failed")) return new Map();
  const own = measures[key]?.(object) ?? (counted.has(key) ? { [key]: 1 } : {});
  return new Map(Object.entries({ ...own, [`count/${key}`]: 1 }));
}

/** What one object takes of one name. Objects are counted without working out what else they take. */
export function amountFor(name: string, ref: ResourceRef, object: NewObject): number {
  const isCount = name.startsWith("count/") || name === ref.resource;
  if (!isCount) return usageOf(ref, object).get(name) ?? 0;
  const phase = qualified(ref) === "pods" ? object.status?.phase : undefined;
  return phase === "Succeeded" || phase === "Failed" ? 0 : 1;
}

const core = (resource: string): ResourceRef => ({ group: "", resource });

/** The resource whose objects count for a name in a quota. */
export function countedResource(name: string): ResourceRef {
  if (name.startsWith("count/")) {
    const [resource = "", ...group] = name.slice("count/".length).split(".");
    return { group: group.join("."), resource };
  }
  if (name.startsWith("services")) return core("services");
  if (/(^|\/)(persistentvolumeclaims|requests\.storage)$/.test(name)) return core("persistentvolumeclaims");
  return counted.has(name) ? core(name) : core("pods");
}

const scopeTests: Readonly<Record<string, (pod: NewObject) => boolean>> = {
  Terminating: ({ spec }) => spec?.activeDeadlineSeconds !== undefined,
  NotTerminating: ({ spec }) => spec?.activeDeadlineSeconds === undefined,
  BestEffort: ({ spec }) => qosClass(spec) === "BestEffort",
  NotBestEffort: ({ spec }) => qosClass(spec) !== "BestEffort",
};

function matchesPriority({ operator, values = [] }: Loose, pod: NewObject): boolean {
  const name: string | undefined = pod.spec?.priorityClassName;
  if (operator === "Exists") return name !== undefined;
  if (operator === "DoesNotExist") return name === undefined;
  return values.includes(name) === (operator === "In");
}

/** Whether a quota's scopes take in the object; a quota with scopes is about pods. */
export function inScope(quota: NewObject, ref: ResourceRef, object: NewObject): boolean {
  const scopes: readonly string[] = quota.spec?.scopes ?? [];
  const expressions: readonly Loose[] = quota.spec?.scopeSelector?.matchExpressions ?? [];
  if (scopes.length === 0 && expressions.length === 0) return true;
  if (qualified(ref) !== "pods") return false;
  return (
    scopes.every((scope) => scopeTests[scope]?.(object) ?? true) &&
    expressions.every((each) =>
      each.scopeName === "PriorityClass"
        ? matchesPriority(each, object)
        : (scopeTests[each.scopeName]?.(object) ?? true),
    )
  );
}
