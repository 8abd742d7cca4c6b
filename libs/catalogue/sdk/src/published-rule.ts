/** The published benchmark's criterion; its numbers are in the engine's verification. */
export type PublishedCheck = "cpu" | "memory" | "pods" | "pings" | "writes" | "resources";

/** MicroRemed's own pass criterion for a fault, with its own timeout. */
export interface PublishedRule {
  readonly check: PublishedCheck;
  readonly timeoutSeconds: number;
  /** It waits for the pods to be Ready before it begins. */
  readonly readyFirst: boolean;
}
