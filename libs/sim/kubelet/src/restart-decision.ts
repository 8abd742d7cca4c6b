import { type ContainerSlot, endOf } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";

export type RestartDecision =
  | { readonly do: "nothing" }
  | { readonly do: "start" }
  /** Start it when the back-off has passed. */
  | { readonly do: "wait"; readonly ms: number };

/** Whether a container that doesn't run is started now. `podPolicy`: the pod's restartPolicy. */
export function restartDecision(
  slot: ContainerSlot,
  { image }: Pick<ContainerSpec, "image">,
  podPolicy: string | undefined,
  now: number,
): RestartDecision {
  if (slot.busy || now < slot.settlesAt || !mayRestart(slot, podPolicy)) return { do: "nothing" };
  const end = endOf(slot);
  const ms = end ? slot.restarts.left(image, end.finishedAt, now) : 0;
  return ms > 0 ? { do: "wait", ms } : { do: "start" };
}

function mayRestart(slot: ContainerSlot, podPolicy: string | undefined): boolean {
  const end = endOf(slot);
  const policy = slot.spec.restartPolicy ?? podPolicy ?? "Always";
  if (!end) return true;
  if (slot.ephemeral) return false;
  return policy === "Always" || (policy === "OnFailure" && end.exitCode !== 0);
}

/** The wait of a container in CrashLoopBackOff. `delayMs`: the present back-off. */
export function crashLoopMessage(container: string, podName: string, delayMs: number): string {
  const seconds = Math.round(delayMs / 1000);
  const wait = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `back-off ${wait} restarting failed container=${container} pod=${podName}`;
}
