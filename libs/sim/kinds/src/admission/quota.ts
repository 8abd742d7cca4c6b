import {
  forbidden,
  formatQuantity,
  type KubeObject,
  type Loose,
  type NewObject,
  parseQuantity,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { amountOf, type Side } from "./pod-resources.ts";
import { amountFor, countedResource, inScope, usageOf } from "./quota-usage.ts";

const quotasRef: ResourceRef = { group: "", resource: "resourcequotas" };

/** What is used of everything that a quota limits, or of some of it, as `status.used` shows it. */
export function usedOf(
  store: Store,
  quota: KubeObject,
  names: readonly string[] = Object.keys(quota.spec?.hard ?? {}),
): Readonly<Record<string, string>> {
  const hard: Readonly<Record<string, string>> = quota.spec?.hard ?? {};
  const used = names.map((name) => {
    const ref = countedResource(name);
    const objects = store.list(ref, quota.metadata.namespace).filter((object) => inScope(quota, ref, object));
    const sum = objects.reduce((total, object) => total + amountFor(name, ref, object), 0);
    return [name, formatQuantity(sum, String(hard[name]))] as const;
  });
  return Object.fromEntries(used);
}

/** Quotas on compute resources make containers name them. */
function missingResources(quota: KubeObject, pod: NewObject): string | undefined {
  const missing = Object.keys(quota.spec?.hard ?? {})
    .sort()
    .flatMap((name) => {
      const [, side = "requests", resource] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(name) ?? [];
      if (resource === undefined) return [];
      const containers: readonly Loose[] = [
        ...(pod.spec?.containers ?? []),
        ...(pod.spec?.initContainers ?? []),
      ];
      const without = containers.filter((each) => amountOf(each, side as Side, resource) === undefined);
      const names = without.map((each) => each.name).sort();
      return names.length > 0 ? [`${name} for: ${names.join(",")}`] : [];
    });
  return missing.length > 0 ? `must specify ${missing.join("; ")}` : undefined;
}

const listed = (amounts: readonly (readonly [string, string])[]): string =>
  amounts.map(([name, amount]) => `${name}=${amount}`).join(",");

function refusalBy(
  store: Store,
  quota: KubeObject,
  ref: ResourceRef,
  object: NewObject,
  old: KubeObject | undefined,
): string | undefined {
  const title = quota.metadata.name;
  const missing = qualified(ref) === "pods" && !old ? missingResources(quota, object) : undefined;
  if (missing) return `failed quota: ${title}: ${missing}`;
  const hard: Readonly<Record<string, string>> = quota.spec?.hard ?? {};
  const before = old ? usageOf(ref, old) : new Map<string, number>();
  const more = [...usageOf(ref, object)]
    .map(([name, amount]) => ({ name, amount: amount - (before.get(name) ?? 0) }))
    .filter(({ name, amount }) => hard[name] !== undefined && amount > 0);
  if (more.length === 0) return undefined;
  const used = usedOf(
    store,
    quota,
    more.map(({ name }) => name),
  );
  const exceeded = more
    .filter(
      ({ name, amount }) =>
        (parseQuantity(used[name]) ?? 0) + amount > (parseQuantity(hard[name]) ?? 0) + 1e-9,
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (exceeded.length === 0) return undefined;
  const requested = exceeded.map(
    ({ name, amount }) => [name, formatQuantity(amount, String(hard[name]))] as const,
  );
  const of = (amounts: Readonly<Record<string, string>>) =>
    exceeded.map(({ name }) => [name, amounts[name] ?? "0"] as const);
  return `exceeded quota: ${title}, requested: ${listed(requested)}, used: ${listed(of(used))}, limited: ${listed(of(hard))}`;
}

/** Throws 403 when an object asks for more than a quota of its namespace leaves. */
export function checkQuotas(
  store: Store,
  ref: ResourceRef,
  object: NewObject,
  old: KubeObject | undefined,
): void {
  const { namespace, name = "", generateName } = object.metadata;
  if (namespace === undefined) return;
  for (const quota of store.list(quotasRef, namespace)) {
    if (!inScope(quota, ref, object)) continue;
    const why = refusalBy(store, quota, ref, object, old);
    if (why) throw forbidden(ref, name || (generateName ?? ""), why);
  }
}
