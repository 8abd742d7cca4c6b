import { createBinaryHeap } from "./binary-heap.ts";

/** Something to do at a moment of cluster time. */
export interface Scheduled {
  readonly at: number;
  readonly order: number;
  readonly name: string;
  readonly task: () => void;
  /** Code outside the loop waits for it: not part of a save. */
  readonly outside: boolean;
  cancelled: boolean;
}

/** What is to be done, the earliest first; of one moment in the order in which it was planned. */
export interface TaskQueue {
  add(at: number, name: string, task: () => void, outside: boolean): Scheduled;
  /** The next that is not cancelled. */
  next(): Scheduled | undefined;
  /** Takes the next away. */
  pop(): void;
  /** Notes what is planned; the result puts it back. */
  save(): () => void;
}

export function createTaskQueue(): TaskQueue {
  const heap = createBinaryHeap<Scheduled>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  let order = 0;
  return {
    add(at, name, task, outside) {
      const scheduled: Scheduled = { at, order: order++, name, task, outside, cancelled: false };
      heap.push(scheduled);
      return scheduled;
    },
    next() {
      for (;;) {
        const next = heap.peek();
        if (!next?.cancelled) return next;
        heap.pop();
      }
    },
    pop() {
      heap.pop();
    },
    save() {
      const planned = heap.items().filter((item) => !item.cancelled && !item.outside);
      const nextOrder = order;
      return () => {
        while (heap.size > 0) heap.pop();
        for (const item of planned) {
          item.cancelled = false;
          heap.push(item);
        }
        order = nextOrder;
      };
    },
  };
}
