import type { FaultContext } from "@microremed/catalogue";
import type { Evidence } from "./evidence.ts";
import type { ProvenPart } from "./incident-part.ts";
import type { JudgedFault } from "./judged-fault.ts";
import type { KeptMark } from "./kept-mark.ts";
import type { VerdictBook } from "./verdict-book.ts";

/** Everything that one verification works with. */
export interface Verification {
  readonly context: FaultContext;
  readonly judged: JudgedFault;
  /** The other faults of the incident. */
  readonly further: readonly ProvenPart[];
  readonly evidence: Evidence;
  readonly kept: KeptMark;
  readonly book: VerdictBook;
  readonly startedAt: number;
  readonly timeoutSeconds: number;
  readonly assertHeld: () => Promise<void>;
}
