import type { ContainerRuntime } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { type BackOff, createBackOff } from "./back-off.ts";
import type { ContainerSpec } from "./container-spec.ts";

export interface Terminated {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly containerId: string;
}

export type ContainerState =
  | { readonly type: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly type: "running"; readonly startedAt: number }
  | ({ readonly type: "terminated" } & Terminated);

/** The kubelet's book of one container of a pod, over all its restarts. */
export interface ContainerSlot {
  readonly name: string;
  readonly init: boolean;
  /** Added to a running pod by `kubectl debug`: never restarted, and nothing of the pod depends on it. */
  readonly ephemeral: boolean;
  spec: ContainerSpec;
  state: ContainerState;
  /** How the container before the present one ended. */
  last: Terminated | undefined;
  restartCount: number;
  ready: boolean;
  started: boolean;
  /** Image of the present or last container; empty before the first. */
  image: string;
  containerId: string;
  runtime: ContainerRuntime | undefined;
  /** Something is under way: a pull, a creation, a stop. */
  busy: boolean;
  /** The image that the kubelet is busy with. */
  busyImage: string;
  /** Raised when what is under way becomes void. */
  epoch: number;
  readonly restarts: BackOff;
  readonly pulls: BackOff;
  /** Cluster time until which the end of the last run is not yet acted upon: a dead container is seen at the next relist. */
  settlesAt: number;
  /** A sync at the end of the restart back-off is already planned. */
  backingOff: boolean;
  /** Its resources were changed while it ran, so its status shows them. */
  resized: boolean;
  /** Ends probes and programs of the running container. */
  readonly stops: (() => void)[];
}

/** The kubelet's restart back-off (CrashLoopBackOff): 10 s, doubled each time, 5 min at most. */
const firstMs = 10_000;
const maxMs = 300_000;

export function createSlot(
  loop: Pick<EventLoop, "keep">,
  spec: ContainerSpec,
  init: boolean,
  reason: string,
  ephemeral = false,
): ContainerSlot {
  return loop.keep({
    name: spec.name,
    init,
    ephemeral,
    spec,
    state: { type: "waiting" as const, reason },
    last: undefined,
    restartCount: 0,
    ready: false,
    started: false,
    image: "",
    containerId: "",
    runtime: undefined,
    busy: false,
    busyImage: "",
    epoch: 0,
    settlesAt: 0,
    backingOff: false,
    resized: false,
    restarts: createBackOff(loop, firstMs, maxMs),
    pulls: createBackOff(loop, firstMs, maxMs),
    stops: loop.keep([]),
  });
}

/** How the container's last run ended, if it has ended. */
export function endOf(slot: ContainerSlot): Terminated | undefined {
  if (slot.state.type === "terminated") return slot.state;
  return slot.state.type === "waiting" ? slot.last : undefined;
}

/** Makes the container wait; how it ended before is kept. */
export function showWaiting(slot: ContainerSlot, reason: string, message: string): void {
  if (slot.state.type === "terminated") slot.last = slot.state;
  slot.state = { type: "waiting", reason, message };
}
