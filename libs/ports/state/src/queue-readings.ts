/** What a scheduler read of the queue of a subject. */
export interface QueueReading {
  /** Messages that its consumer had given out until then. */
  readonly deliveries: number;
  /** Since when it is so, ms of wall clock. */
  readonly at: number;
}

/**
 * The last readings of queues in which something waits. Schedulers share them: to know that no service takes anything takes
 * a minute, and the scheduler that read first may have ended by then.
 */
export interface QueueReadings {
  get(subject: string): Promise<QueueReading | undefined>;
  set(subject: string, reading: QueueReading): Promise<void>;
}
