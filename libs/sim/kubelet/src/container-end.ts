import type { ContainerEnd } from "./container-host.types.ts";
import type { ContainerSlot, ContainerState, Terminated } from "./container-slot.ts";

/** What of a slot changes when its container's run ends. */
interface EndedSlot {
  readonly state: ContainerState;
  readonly last: Terminated | undefined;
  readonly ready: boolean;
  readonly started: boolean;
}

/**
 * The slot's state after the end of a run. `written`: what the program left in its termination log; `isLast`: it is not to
 * be started again.
 */
export function endedSlot(
  slot: Pick<ContainerSlot, "init" | "last" | "containerId">,
  end: ContainerEnd,
  {
    startedAt,
    written,
    now,
    isLast,
  }: {
    readonly startedAt: number;
    readonly written: string | undefined;
    readonly now: number;
    readonly isLast: boolean;
  },
): EndedSlot {
  const { exitCode, reason } = end;
  const message = end.message ?? written;
  const terminated: Terminated = {
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    startedAt: end.neverRan ? 0 : startedAt,
    finishedAt: now,
    containerId: slot.containerId,
  };
  // A finished init container counts as ready.
  const flags = { ready: slot.init && exitCode === 0, started: false };
  if (!end.neverRan || isLast)
    return { state: { type: "terminated", ...terminated }, last: slot.last, ...flags };
  return {
    state: { type: "waiting", reason: "RunContainerError", message: message ?? "" },
    last: terminated,
    ...flags,
  };
}
