import { ExecEnded } from "./exec-session.ts";

const maxBytes = 64 << 20;
/** Wall time after which a client that sends nothing more is taken to have nothing more to send, ms. */
const idleMs = 300;

/**
 * Everything a client sends, to its end. With `unlessIdle` also what came until the client fell silent: a shell
 * needs its stdin before it starts, and a client that attached a terminal or cannot signal the end never closes it.
 * The end of a tar archive counts as the end, since clients of the older protocol cannot close stdin.
 */
export async function readStdin(
  input: AsyncIterable<Uint8Array> | undefined,
  signal: AbortSignal,
  unlessIdle: boolean,
): Promise<Uint8Array> {
  if (!input) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const iterator = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await (unlessIdle ? orIdle(iterator.next(), signal) : orAborted(iterator.next(), signal));
    if (next === "idle" || next.done) break;
    size += next.value.byteLength;
    if (size > maxBytes) throw new ExecEnded(137, "stdin limit");
    chunks.push(next.value);
    if (unlessIdle && size % 512 === 0 && endsArchive(next.value)) break;
  }
  return Buffer.concat(chunks);
}

/** A tar archive ends with two blocks of zeros. */
const endsArchive = (chunk: Uint8Array): boolean =>
  chunk.byteLength >= 1024 && chunk.subarray(-1024).every((byte) => byte === 0);

function orAborted<T>(next: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    next.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function orIdle<T>(next: Promise<T>, signal: AbortSignal): Promise<T | "idle"> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<"idle">((resolve) => {
    timer = setTimeout(() => resolve("idle"), idleMs);
  });
  try {
    return await Promise.race([orAborted(next, signal), idle]);
  } finally {
    clearTimeout(timer);
  }
}
