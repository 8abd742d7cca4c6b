/** Does something with each item, `atOnce` at a time; results in the order of the items. */
export async function inTurn<T, R>(
  items: readonly T[],
  atOnce: number,
  each: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) results[i] = await each(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
