import { AsyncLocalStorage } from "node:async_hooks";
import { createSlots, type Slots } from "@microremed/core";

/** Scripts of one program that run at once; each thread takes some 15 MiB. Further ones wait. */
export const mostAtOnce = 32;

const places = new Map<string, Slots>();
/** The program whose script asks for what is done now. */
const asking = new AsyncLocalStorage<string>();

/** Does what a script of a program asks for. A script of the same program in it needs no place: waiting for one could last for ever. */
export const askedBy = <T>(program: string, work: () => T): T => asking.run(program, work);

/** Runs a script of a program as soon as it has a place. Rejects with the signal's reason if that comes first. */
export async function inPlace<T>(program: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (asking.getStore() === program) return await run();
  const slots = places.get(program) ?? createSlots(mostAtOnce);
  places.set(program, slots);
  await slots.take(signal);
  try {
    return await run();
  } finally {
    slots.give();
  }
}
