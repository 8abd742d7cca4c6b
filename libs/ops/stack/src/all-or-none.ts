/**
 * Waits for all even when one fails, which aborts the signal of the others: what still starts when the stack is taken down
 * would be left running. Throws what failed first.
 */
export async function allOrNone<T>(
  outer: AbortSignal | undefined,
  begin: (signal: AbortSignal) => readonly Promise<T>[],
): Promise<readonly T[]> {
  const failed = new AbortController();
  const parts = begin(outer ? AbortSignal.any([outer, failed.signal]) : failed.signal);
  for (const part of parts) part.catch((reason: unknown) => failed.abort(reason));
  await Promise.allSettled(parts);
  failed.signal.throwIfAborted();
  return Promise.all(parts);
}
