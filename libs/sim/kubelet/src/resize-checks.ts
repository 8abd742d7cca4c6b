import type { ContainerRuntime } from "@microremed/sim-machine";
import {
  allocatable,
  jsonEqual,
  type KubeObject,
  parseQuantity,
  podRequests,
  requestOf,
  resources,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ContainerSlot } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";

/** Why a pod does not have the resources yet that its spec wants: a condition of the pod. */
export interface ResizeState {
  readonly type: "PodResizePending" | "PodResizeInProgress";
  readonly reason?: string;
  readonly message?: string;
}

/** A running container whose spec wants other resources than it has. */
export interface Resize {
  readonly slot: ContainerSlot;
  readonly spec: ContainerSpec;
}

const names = ["cpu", "memory"] as const;

/** Changes through the pod's `resize` subresource that the kubelet has not made yet. */
export function pendingResizes(
  slots: ReadonlyMap<string, ContainerSlot>,
  specs: readonly ContainerSpec[],
): readonly Resize[] {
  return specs.flatMap((spec) => {
    const slot = slots.get(spec.name);
    const isDone = !slot?.runtime || slot.spec.resources === spec.resources;
    return isDone || jsonEqual(slot.spec.resources, spec.resources) ? [] : [{ slot, spec }];
  });
}

/** In the units in which the kubelet counts: millicores, bytes. */
const units = { cpu: 1000, memory: 1 } as const;

/** Why the pod's node cannot give what the pod wants, now or ever; undefined: it can. */
export function resizeHindrance(store: Store, pod: KubeObject): ResizeState | undefined {
  const node = store.get(resources.nodes, undefined, pod.spec.nodeName);
  if (!node) return undefined;
  const wanted = podRequests(pod);
  const others = store
    .list(resources.pods)
    .filter(({ metadata, spec, status }) => {
      const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
      return spec.nodeName === pod.spec.nodeName && metadata.uid !== pod.metadata.uid && !isOver;
    })
    .map(podRequests);
  for (const name of names) {
    const shown = (amount: number): number => Math.round(amount * units[name]);
    const capacity = allocatable(node, name);
    const requested = `requested: ${shown(wanted[name])}`;
    if (wanted[name] > capacity) {
      const message = `Node didn't have enough capacity: ${name}, ${requested}, capacity: ${shown(capacity)}`;
      return { type: "PodResizePending", reason: "Infeasible", message };
    }
    const used = others.reduce((sum, each) => sum + each[name], 0);
    if (used + wanted[name] > capacity + 1e-9) {
      const message = `Node didn't have enough resource: ${name}, ${requested}, used: ${shown(used)}, capacity: ${shown(capacity)}`;
      return { type: "PodResizePending", reason: "Deferred", message };
    }
  }
  return undefined;
}

/** The kubelet takes no memory away that is in use. */
export function memoryInUse({ slot, spec }: Resize): ResizeState | undefined {
  const limit = parseQuantity(spec.resources?.limits?.["memory"] ?? "");
  const used = slot.runtime?.usage.memory ?? 0;
  if (limit === undefined || used < limit || restartsFor({ slot, spec })) return undefined;
  const message = `attempting to set pod memory limit (${limit}) below current usage (${Math.round(used)})`;
  return { type: "PodResizeInProgress", reason: "Error", message };
}

/** Whether a container asks for a restart when what changes is changed. */
export function restartsFor({ slot, spec }: Resize): boolean {
  const of = (name: string, { resources: given }: ContainerSpec) => [
    given?.requests?.[name],
    given?.limits?.[name],
  ];
  return (spec.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === "RestartContainer" && !jsonEqual(of(resourceName, slot.spec), of(resourceName, spec)),
  );
}

/** Gives a running container what its spec says: its cgroup changes, its processes run on. */
export function resizeContainer(runtime: ContainerRuntime, spec: ContainerSpec): void {
  runtime.cpuRequest = requestOf(spec, "cpu");
  runtime.cpuLimit = parseQuantity(spec.resources?.limits?.["cpu"] ?? "");
  runtime.memoryRequest = requestOf(spec, "memory");
  runtime.memoryLimit = parseQuantity(spec.resources?.limits?.["memory"] ?? "");
}
