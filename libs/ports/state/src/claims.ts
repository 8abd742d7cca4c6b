import type { Arena, StageResult } from "@microremed/contracts";
import type { StageKey } from "./results.ts";

/** A command as claims know it: what it is idempotent under, and the lease under which it may act. */
export interface ClaimKey extends StageKey {
  readonly arena: Pick<Arena, "cluster" | "slot" | "fence">;
}

/** What came of taking a claim. Only with `taken` may the command be worked on. */
export type Taking =
  | { readonly status: "taken" }
  /** There is a result already. */
  | { readonly status: "done"; readonly result: StageResult }
  /** Another process works on it; unless prolonged, the claim ends in so many ms. */
  | { readonly status: "busy"; readonly forMs: number }
  /** The arena has another lease by now. */
  | { readonly status: "stale"; readonly fence: number };

/**
 * Who works on a command. A message may be delivered again while another process still works on it, e.g. to the replica of a
 * process that was paused: the claim keeps them apart, and the one that lost it may change nothing any more.
 */
export interface Claims {
  /** `holder`: different for every delivery. */
  take(key: ClaimKey, holder: string, claimMs: number): Promise<Taking>;
  /** False: the claim, or the arena's lease, is lost for good. */
  renew(key: ClaimKey, holder: string, claimMs: number): Promise<boolean>;
  /** Whether a process works on it. */
  isHeld(key: StageKey): Promise<boolean>;
  /** So that the next delivery need not wait for the claim's end. */
  release(key: ClaimKey, holder: string): Promise<void>;
}
