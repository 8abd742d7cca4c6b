import type { KubeObject } from "@microremed/sim-objects";
import { desiredReplicasAnnotation, maxReplicasAnnotation } from "./deployment-revisions.ts";
import { intOrPercent } from "./int-or-percent.ts";

/** One ReplicaSet's wanted size. */
export interface Resize {
  readonly set: KubeObject;
  readonly replicas: number;
}

export const sizeOf = (set: KubeObject): number => set.spec.replicas ?? 1;
const availableOf = (set: KubeObject): number => set.status?.availableReplicas ?? 0;
const sum = (sets: readonly KubeObject[], each: (set: KubeObject) => number): number =>
  sets.reduce((total, set) => total + each(set), 0);

/** Bounds of a rolling update; surge rounds up, unavailable down, and both 0 would never move. */
export function rollingBounds(deployment: KubeObject): { maxSurge: number; maxUnavailable: number } {
  const replicas: number = deployment.spec.replicas ?? 1;
  if (deployment.spec.strategy?.type === "Recreate") return { maxSurge: 0, maxUnavailable: 0 };
  const rolling = deployment.spec.strategy?.rollingUpdate ?? {};
  const maxSurge = intOrPercent(rolling.maxSurge ?? "25%", replicas, "up");
  const maxUnavailable = intOrPercent(rolling.maxUnavailable ?? "25%", replicas, "down");
  if (maxSurge === 0 && maxUnavailable === 0) return { maxSurge, maxUnavailable: 1 };
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** The next sizes in a rolling update: the new ReplicaSet grows first, then old ones shrink. */
export function rollingSizes(
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
): readonly Resize[] {
  const replicas = newSetSize(deployment, current, [...old, current]);
  return replicas === sizeOf(current) ? shrinkOld(deployment, current, old) : [{ set: current, replicas }];
}

/** How big the new ReplicaSet may be now, in a rolling update. */
function newSetSize(deployment: KubeObject, current: KubeObject, all: readonly KubeObject[]): number {
  const replicas: number = deployment.spec.replicas ?? 1;
  const size = sizeOf(current);
  if (size >= replicas) return replicas;
  const room = replicas + rollingBounds(deployment).maxSurge - sum(all, sizeOf);
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/** Which old ReplicaSets may shrink now without going below the wanted availability; broken pods go first. */
function shrinkOld(
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
): readonly Resize[] {
  const replicas: number = deployment.spec.replicas ?? 1;
  const minAvailable = replicas - rollingBounds(deployment).maxUnavailable;
  const newUnavailable = sizeOf(current) - availableOf(current);
  const mostDown = sum(old, sizeOf) + sizeOf(current) - minAvailable - newUnavailable;
  if (mostDown <= 0) return [];
  const sizes = new Map(old.map((set) => [set, sizeOf(set)]));

  let cleaned = 0;
  for (const set of old) {
    const broken = Math.min(mostDown - cleaned, Math.max(0, sizeOf(set) - availableOf(set)));
    sizes.set(set, sizeOf(set) - broken);
    cleaned += broken;
  }
  let spare = sum([...old, current], availableOf) - minAvailable;
  for (const set of old) {
    const size = sizes.get(set) ?? 0;
    const down = Math.min(size, Math.max(0, spare));
    sizes.set(set, size - down);
    spare -= down;
  }
  return [...sizes]
    .filter(([set, size]) => size !== sizeOf(set))
    .map(([set, size]) => ({ set, replicas: size }));
}

/** Whether the deployment's replicas changed since its active ReplicaSets were sized. */
export function isScalingEvent(deployment: KubeObject, sets: readonly KubeObject[]): boolean {
  const replicas: number = deployment.spec.replicas ?? 1;
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[desiredReplicasAnnotation];
    return sizeOf(set) > 0 && desired !== undefined && Number(desired) !== replicas;
  });
}

/** Sizes after a change of replicas: all to the one active set, or spread over several in proportion. */
export function proportionalSizes(
  deployment: KubeObject,
  current: KubeObject | undefined,
  old: readonly KubeObject[],
): readonly Resize[] {
  const replicas: number = deployment.spec.replicas ?? 1;
  const all = current ? [...old, current] : old;
  const active = all.filter((set) => sizeOf(set) > 0);
  const only = active.length <= 1 ? (active[0] ?? current ?? old.at(-1)) : undefined;
  if (only) return sizeOf(only) === replicas ? [] : [{ set: only, replicas }];
  if (current && sizeOf(current) === replicas && availableOf(current) === replicas) {
    return active.filter((set) => set !== current).map((set) => ({ set, replicas: 0 }));
  }
  if (deployment.spec.strategy?.type === "Recreate") return [];
  const allowed = replicas > 0 ? replicas + rollingBounds(deployment).maxSurge : 0;
  return spread(active, allowed, replicas);
}

function spread(active: readonly KubeObject[], allowed: number, replicas: number): readonly Resize[] {
  let toAdd = allowed - sum(active, sizeOf);
  const biggestFirst = [...active].sort((a, b) => sizeOf(b) - sizeOf(a));
  const resizes = biggestFirst.map((set) => {
    const before = Number(set.metadata.annotations?.[maxReplicasAnnotation] ?? replicas) || replicas;
    const share = Math.round((sizeOf(set) * allowed) / before) - sizeOf(set);
    const part = toAdd > 0 ? Math.min(Math.max(share, 0), toAdd) : Math.max(Math.min(share, 0), toAdd);
    toAdd -= part;
    return { set, replicas: sizeOf(set) + part };
  });
  const [first, ...rest] = resizes;
  if (!first) return [];
  return [{ ...first, replicas: Math.max(0, first.replicas + toAdd) }, ...rest].filter(
    ({ set, replicas: size }) => size !== sizeOf(set),
  );
}
