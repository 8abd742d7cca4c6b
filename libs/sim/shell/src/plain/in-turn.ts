/** A value, or one that is waited for. Most of a script waits for nothing, and a promise for each part costs more than the part. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once where it is there. */
export function after<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does something with one item after the other, until it says `true`. */
export function inTurn<T>(items: readonly T[], act: (item: T, at: number) => Soon<boolean>): Soon<void> {
  for (let at = 0; at < items.length; at++) {
    const isOver = act(items[at] as T, at);
    if (isOver === true) return;
    if (isOver !== false) return waitInTurn(items, act, at, isOver);
  }
}

async function waitInTurn<T>(
  items: readonly T[],
  act: (item: T, at: number) => Soon<boolean>,
  from: number,
  first: Promise<boolean>,
): Promise<void> {
  if (await first) return;
  for (let at = from + 1; at < items.length; at++) if (await act(items[at] as T, at)) return;
}
