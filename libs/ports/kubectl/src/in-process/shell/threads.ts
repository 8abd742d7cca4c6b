import { Worker } from "node:worker_threads";
import { programOf } from "@microremed/core/bundle";

/** Memory of a thread, MiB. */
export const mostMemoryMi = 256;
/** Threads that wait for the next script; starting one takes some 0.2 s of CPU. */
const mostIdle = 4;

let idle: Worker[] = [];

const isAlive = ({ threadId }: Worker): boolean => threadId >= 0;

/** A thread that runs no script. It keeps the process alive until it is given back. */
export function takeThread(): Worker {
  const thread =
    idle.find(isAlive) ??
    new Worker(programOf(new URL("./shell-thread.ts", import.meta.url)), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMi },
    });
  idle = idle.filter((one) => one !== thread && isAlive(one));
  thread.ref();
  return thread;
}

/** For the next script, unless something still runs in it. */
export function giveBack(thread: Worker, isSpent: boolean): void {
  thread.unref();
  if (isSpent || idle.length >= mostIdle || !isAlive(thread)) void thread.terminate();
  else idle.push(thread);
}

/** CPU of a thread since it was started, s; of one that has ended, none. */
export async function cpuSeconds(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1e6;
}
