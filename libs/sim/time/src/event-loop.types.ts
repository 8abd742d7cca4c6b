/**
 * The one clock of a cluster: virtual time in ms since the epoch and a queue of things to do. Nothing in the cluster
 * reads the wall clock. Events at the same time run in the order in which they were scheduled.
 */
export interface EventLoop {
  /** Cluster time, whole ms since the epoch. */
  now(): number;
  /** Runs `task` after `delayMs` of cluster time; `name` shows in traces. Returns the way to cancel. */
  after(delayMs: number, name: string, task: () => void): () => void;
  /** Runs `task` every `periodMs` of cluster time until cancelled. */
  every(periodMs: number, name: string, task: () => void): () => void;
  /** Resolves after `ms` of cluster time. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs everything due in the next `ms` of cluster time and moves the time there. Synchronous: for stepping by hand. */
  advance(ms: number): void;
  /**
   * Says that a caller waits: until released, time runs at the cluster's time scale instead of at 1. Counted, so
   * several holders may hold at once. Returns the release.
   */
  hold(): () => void;
  /**
   * Makes mutable state part of the cluster's snapshots, see `Memory.keep`. Whatever a task or a listener changes must
   * be kept; a closure's own variables cannot be.
   */
  keep<T extends object>(state: T): T;
  /**
   * Calls `listener` once when the cluster was put back to a snapshot during which it was registered: for work that
   * goes on outside the loop (a running script) and cannot be taken back. Returns the way to unregister.
   */
  onRestore(listener: () => void): () => void;
}
