/** What waits in one stream, and for whom. */
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
    /** Deliveries until now: stands still while nobody takes any. */
    readonly deliveries: number;
    /** Delivered and not settled. */
    readonly unacknowledged: number;
  }[];
}
