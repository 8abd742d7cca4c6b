import { AsyncLocalStorage } from "node:async_hooks";

const owners = new AsyncLocalStorage<string | undefined>();

/** Runs code that is not the product's, such as an agent's: what it throws when no caller waits for it any more is its owner's. */
export const runForeign = <T>(owner: string, code: () => T): T => owners.run(owner, code);

/** Runs code of the product's that foreign code has called: its errors are the product's again. */
export const runOwn = <T>(code: () => T): T => owners.run(undefined, code);

/** Whose code has thrown, in a handler of the process's `uncaughtException` or `unhandledRejection`; undefined: the product's. */
export const foreignOwner = (): string | undefined => owners.getStore();

type Note = (owner: string, thrown: unknown) => void;

const notes = new Set<Note>();
const events = ["unhandledRejection", "uncaughtException"] as const;

/**
 * Keeps this process alive when foreign code leaves a rejection unhandled or throws in a callback: `note` gets it. Errors of
 * the product's own end the process as ever. Until it is disposed.
 */
export function containForeignErrors(note: Note): Disposable {
  const own: Note = (...args) => note(...args);
  if (notes.size === 0) for (const event of events) process.on(event, handle);
  notes.add(own);
  return {
    [Symbol.dispose]: () => {
      notes.delete(own);
      if (notes.size === 0) stop();
    },
  };
}

function handle(thrown: unknown): void {
  const owner = foreignOwner();
  if (owner !== undefined) for (const note of notes) note(owner, thrown);
  // Another listener, such as a test's, decides.
  else if (process.listenerCount("uncaughtException") === 1) end(thrown);
}

function end(thrown: unknown): void {
  stop();
  setImmediate(() => {
    throw thrown;
  });
}

function stop(): void {
  for (const event of events) process.off(event, handle);
}
