import type { TruthContext } from "./fault.ts";

/** A fault at other values than its own: weaker, stronger, or in another place. */
export interface Strength {
  /** In a few words, e.g. `20 %`. */
  readonly name: string;
  /** What differs from the fault's own values. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether it could show on a target of the fault. Absent: on each. */
  applies?(context: TruthContext): boolean;
}
