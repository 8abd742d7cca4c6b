import { Worker } from "node:worker_threads";
import { programOf } from "@microremed/core/bundle";

/** Memory of a thread, MiB. */
export const mostMemoryMi = 256;
/** Threads of one program that wait for the next script; starting one takes some 0.2 s of CPU. */
const mostIdle = 4;

const idle = new Map<string, Worker[]>();

const isAlive = ({ threadId }: Worker): boolean => threadId >= 0;

/** A thread of a program, the URL of its source, that runs no script. It keeps the process alive until it is given back. */
export function takeThread(program: string): Worker {
  const waiting = (idle.get(program) ?? []).filter(isAlive);
  const thread =
    waiting.pop() ??
    new Worker(programOf(program), { env: {}, resourceLimits: { maxOldGenerationSizeMb: mostMemoryMi } });
  idle.set(program, waiting);
  thread.ref();
  return thread;
}

/** For the next script, unless something still runs in it. */
export function giveBack(program: string, thread: Worker, isSpent: boolean): void {
  const waiting = idle.get(program) ?? [];
  thread.unref();
  if (isSpent || waiting.length >= mostIdle || !isAlive(thread)) void thread.terminate();
  else waiting.push(thread);
}

/** CPU of a thread since it was started, s; of one that has ended, none. */
export async function cpuSeconds(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1e6;
}
