/**
 * What `make` resolves to for 0, 1, 2, ... in this order, with so many of them under way at once. A reader that stops leaves what
 * is under way alone.
 */
export async function* inOrder<T>(make: (index: number) => Promise<T>, width: number): AsyncGenerator<T> {
  const underWay: Promise<T>[] = [];
  for (let next = 0; ; next++) {
    const one = make(next);
    // It is thrown where it is awaited; one that is no longer waited for must not end the process.
    one.catch(() => {});
    underWay.push(one);
    if (underWay.length < width) continue;
    const first = underWay.shift();
    if (first) yield await first;
  }
}
