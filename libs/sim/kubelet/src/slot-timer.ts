import type { EventLoop } from "@microremed/sim-time";
import type { ContainerSlot } from "./container-slot.ts";

/** Runs a task later unless what the slot is busy with has become void by then. */
export type Later = (slot: ContainerSlot, ms: number, name: string, task: () => void) => void;

export function createSlotTimer(loop: Pick<EventLoop, "after">): Later {
  return (slot, ms, name, task) => {
    const { epoch } = slot;
    loop.after(ms, name, () => {
      if (slot.epoch === epoch) task();
    });
  };
}
