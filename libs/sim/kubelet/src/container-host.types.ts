import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import type { ContainerSlot } from "./container-slot.ts";
import type { Later } from "./slot-timer.ts";

/** What the pieces of a container's life need of their pod. */
export interface ContainerHost {
  object(): KubeObject;
  sandbox(): PodSandbox | undefined;
  /** What containers have to end in, s, where it is not what the pod says. */
  graceSeconds(): number | undefined;
  /** The pod's status is to be written. */
  changed(): void;
  /** Records an event about a container of the pod. */
  event(slot: ContainerSlot, type: "Normal" | "Warning", reason: string, message: string): void;
  readonly later: Later;
}

/** How a container's run ended. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  /** The runtime could not even start it. */
  readonly neverRan?: boolean;
}
