import { AsyncLocalStorage } from "node:async_hooks";

/** Scripts of one program that run at once; each thread takes some 15 MiB. Further ones wait. */
export const mostAtOnce = 32;

interface Places {
  taken: number;
  readonly waiting: (() => void)[];
}

const places = new Map<string, Places>();
/** The program whose script asks for what is done now. */
const asking = new AsyncLocalStorage<string>();

/** Does what a script of a program asks for. A script of the same program in it needs no place: waiting for one could last for ever. */
export const askedBy = <T>(program: string, work: () => T): T => asking.run(program, work);

/** Runs a script of a program as soon as it has a place. Rejects with the signal's reason if that comes first. */
export async function inPlace<T>(program: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (asking.getStore() === program) return await run();
  const own = places.get(program) ?? { taken: 0, waiting: [] };
  places.set(program, own);
  if (own.taken < mostAtOnce) own.taken += 1;
  else await turn(own, signal);
  try {
    return await run();
  } finally {
    const next = own.waiting.shift();
    if (next) next();
    else own.taken -= 1;
  }
}

/** The place of a script that has ended. */
async function turn({ waiting }: Places, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = (): void => {
    const at = waiting.indexOf(resolve);
    // It may have its turn already.
    if (at < 0) return;
    waiting.splice(at, 1);
    reject(signal.reason);
  };
  waiting.push(resolve);
  signal.addEventListener("abort", leave, { once: true });
  await promise.finally(() => signal.removeEventListener("abort", leave));
}
