/** The messages that wait in one stream, by consumer. */
export interface Queue {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  /** At so many bytes it refuses messages, or drops the oldest. */
  readonly limitBytes: number;
  readonly consumers: readonly {
    readonly name: string;
    /** What it delivers; may have wildcards. */
    readonly subject: string;
    readonly waiting: number;
    /** Deliveries so far; does not grow while no consumer is running. */
    readonly deliveries: number;
    /** Delivered and not settled. */
    readonly unacknowledged: number;
  }[];
}
