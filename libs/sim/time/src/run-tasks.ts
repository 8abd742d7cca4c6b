import type { Logger } from "@microremed/core";
import type { TaskQueue } from "./task-queue.ts";

/** Cluster time, and whether tasks run at present. */
export interface ClusterClock {
  /** Ms since the epoch. */
  time: number;
  inSlice: boolean;
}

/** Runs what is due until `target`; gives up early when `mayGoOn` says so. Returns whether it came to the end. */
export type RunTasks = (target: number, mayGoOn: () => boolean) => boolean;

export function createTaskRunner(clock: ClusterClock, queue: TaskQueue, log: Logger): RunTasks {
  function runAll(target: number, mayGoOn: () => boolean): boolean {
    for (;;) {
      const next = queue.next();
      if (!next || next.at > target) break;
      if (!mayGoOn()) return false;
      queue.pop();
      clock.time = Math.max(clock.time, next.at);
      try {
        next.task();
      } catch (error) {
        const { name: task } = next;
        const about = { task, clusterTime: clock.time, err: error };
        log.error(about, `the cluster's task ${task} failed`);
      }
    }
    clock.time = Math.max(clock.time, target);
    return true;
  }

  return (target, mayGoOn) => {
    clock.inSlice = true;
    const finished = runAll(target, mayGoOn);
    clock.inSlice = false;
    return finished;
  };
}
