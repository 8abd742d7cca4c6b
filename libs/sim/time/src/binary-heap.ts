export interface BinaryHeap<T> {
  readonly size: number;
  peek(): T | undefined;
  push(item: T): void;
  pop(): T | undefined;
  /** In no particular order. */
  items(): readonly T[];
}

/** A priority queue: `pop` gives the item that comes before all others. */
export function createBinaryHeap<T>(before: (a: T, b: T) => boolean): BinaryHeap<T> {
  const items: T[] = [];

  function siftUp(item: T): void {
    let at = items.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !before(item, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  function siftDown(item: T): void {
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = items[childAt];
      if (child === undefined) break;
      const right = items[childAt + 1];
      if (right !== undefined && before(right, child)) {
        child = right;
        childAt += 1;
      }
      if (!before(child, item)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = item;
  }

  return {
    get size() {
      return items.length;
    },
    peek: () => items[0],
    push: siftUp,
    items: () => [...items],
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) siftDown(last);
      return first;
    },
  };
}
