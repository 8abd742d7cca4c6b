import type { Environment } from "../environment/environment.types.ts";
import { workloadsBehind } from "../environment/selectors.ts";
import { workloadsUsing } from "../target.ts";
import { kubeKind } from "./kube-kinds.ts";
import type { ObjectRef } from "./object-ref.ts";

const usedKinds = { ConfigMap: "configmap", Secret: "secret", PersistentVolumeClaim: "claim" } as const;

/**
 * The workloads that an object is about: itself, those whose pods a Service selects, those that use a ConfigMap, Secret or
 * claim. Of any other object none.
 */
export function workloadsAbout(
  environment: Environment,
  { kind: given, name }: ObjectRef,
): readonly string[] {
  const kind = kubeKind(given);
  if (environment.workloads[name]?.kind === kind) return [name];
  if (kind === "Service") return workloadsBehind(environment, name);
  const used = Object.entries(usedKinds).find(([one]) => one === kind)?.[1];
  return used === undefined ? [] : workloadsUsing(environment, { kind: used, name });
}

/** Calls between the nearest two workloads of two sets, in either direction; undefined: no calls lead there. */
export function callDistance(
  environment: Environment,
  from: readonly string[],
  to: readonly string[],
): number | undefined {
  const neighbours = neighboursIn(environment);
  const wanted = new Set(to);
  let reached = new Set(from);
  const seen = new Set(from);
  for (let calls = 0; reached.size > 0; calls++) {
    if (reached.values().some((name) => wanted.has(name))) return calls;
    const next = [...reached].flatMap((name) => [...(neighbours.get(name) ?? [])]);
    reached = new Set(next.filter((name) => !seen.has(name)));
    for (const name of reached) seen.add(name);
  }
  return undefined;
}

function neighboursIn({ workloads }: Environment): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbours = new Map(Object.keys(workloads).map((name) => [name, new Set<string>()]));
  for (const [name, { calls }] of Object.entries(workloads)) {
    for (const { to } of calls) {
      neighbours.get(name)?.add(to);
      neighbours.get(to)?.add(name);
    }
  }
  return neighbours;
}
