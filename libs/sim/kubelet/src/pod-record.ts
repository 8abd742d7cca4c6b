import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import type { EventLoop } from "@microremed/sim-time";
import { type ContainerSlot, createSlot } from "./container-slot.ts";
import { containersOf, initContainersOf } from "./container-spec.ts";
import type { ResizeState } from "./resize-checks.ts";

/** Why a kubelet ends a pod whose object stays. */
export interface PodEnd {
  readonly reason: string;
  readonly message: string;
  /** What its containers have to end in, s; absent: what the pod says. */
  readonly graceSeconds?: number;
  /** It is no fault of the pod's own. */
  readonly isDisruption?: true;
}

/** What the kubelet knows of one pod on its node. */
export interface PodRecord {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  /** When the kubelet first saw it, ms. */
  readonly startTime: number;
  /** Its containers, by name. */
  readonly slots: Map<string, ContainerSlot>;
  /** As last seen in the store. */
  pod: KubeObject;
  sandbox: PodSandbox | undefined;
  gone: boolean;
  terminating: boolean;
  /** Why the kubelet has ended it; undefined: it has not. */
  ended: PodEnd | undefined;
  /** The status that the kubelet has last written; undefined: none yet. */
  reported: KubeObject["status"];
  statusPlanned: boolean;
  syncPlanned: boolean;
  /** How far the change of the containers' resources is. */
  resize: ResizeState | undefined;
}

/** The record of a pod that has just been bound to its node: nothing of it runs. */
export function createPodRecord(loop: Pick<EventLoop, "keep" | "now">, pod: KubeObject): PodRecord {
  const { namespace = "", name, uid } = pod.metadata;
  const slots = loop.keep(new Map<string, ContainerSlot>());
  const inits = initContainersOf(pod);
  for (const spec of inits) slots.set(spec.name, createSlot(loop, spec, true, "PodInitializing"));
  const waiting = inits.length > 0 ? "PodInitializing" : "ContainerCreating";
  for (const spec of containersOf(pod)) slots.set(spec.name, createSlot(loop, spec, false, waiting));
  return loop.keep({
    namespace,
    name,
    uid,
    node: pod.spec.nodeName,
    startTime: loop.now(),
    slots,
    pod,
    sandbox: undefined,
    gone: false,
    terminating: false,
    ended: undefined,
    reported: undefined,
    statusPlanned: false,
    syncPlanned: false,
    resize: undefined,
  });
}
