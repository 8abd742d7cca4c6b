import { type KubeObject, podRequests, requestOf } from "@microremed/sim-objects";
import { containersOf } from "./container-spec.ts";
import type { PodRecord } from "./pod-record.ts";

/** A pod with what it has of its node's memory, bytes. */
export interface MemoryUse {
  readonly pod: KubeObject;
  readonly used: number;
  readonly requested: number;
  readonly containers: readonly {
    readonly name: string;
    readonly used: number;
    readonly requested: number;
  }[];
}

/** Undefined: nothing of the pod runs. */
export function memoryUse({ pod, sandbox }: Pick<PodRecord, "pod" | "sandbox">): MemoryUse | undefined {
  if (!sandbox || sandbox.containers.size === 0) return undefined;
  const containers = containersOf(pod).flatMap((spec) => {
    const usage = sandbox.containers.get(spec.name)?.usage;
    return usage ? [{ name: spec.name, used: usage.memory, requested: requestOf(spec, "memory") }] : [];
  });
  const used = [...sandbox.containers.values()].reduce((sum, { usage }) => sum + usage.memory, 0);
  return { pod, used, requested: podRequests(pod).memory, containers };
}

/** From this priority on a pod is critical, and its kubelet keeps it. */
const criticalPriority = 2_000_000_000;
const mirror = "kubernetes.io/config.mirror";

const priorityOf = ({ spec }: KubeObject): number => spec.priority ?? 0;
const isCritical = (pod: KubeObject): boolean =>
  priorityOf(pod) >= criticalPriority || pod.metadata.annotations?.[mirror] !== undefined;

const beyond = ({ used, requested }: MemoryUse): number => used - requested;
const isBeyond = (use: MemoryUse): number => (beyond(use) > 0 ? 1 : 0);

/**
 * In which order a kubelet that is short of memory ends pods: those that have more than they requested before all others, then
 * by priority, then by how much more they have. Critical ones never.
 */
export const evictionOrder = (pods: readonly MemoryUse[]): MemoryUse[] =>
  pods
    .filter(({ pod }) => !isCritical(pod))
    .toSorted(
      (a, b) => isBeyond(b) - isBeyond(a) || priorityOf(a.pod) - priorityOf(b.pod) || beyond(b) - beyond(a),
    );
