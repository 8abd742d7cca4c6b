import type { FaultContext } from "@microremed/faults";

/** What the oracles compare with: Baseline.values of the contracts. */
export type BaselineValues = Readonly<Record<string, number>>;

export interface OracleContext extends FaultContext {
  readonly baseline: BaselineValues;
  /** Cluster time, ms: whatever was sampled before does not count. */
  readonly since: number;
  /** The template may have other limits than before, as long as they suffice: the fault is in the limits. */
  readonly limitsMayDiffer: boolean;
}
