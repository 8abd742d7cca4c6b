import type { EdgeBaseline } from "@microremed/contracts";
import type { FaultContext } from "@microremed/faults";
import type { RequestsReading } from "./requests/request-source.ts";

/** What the oracles compare with: Baseline.values of the contracts. */
export type BaselineValues = Readonly<Record<string, number>>;

export interface OracleContext extends FaultContext {
  readonly baseline: BaselineValues;
  /** Requests of the healthy call graph; empty: the environment's programs report none. */
  readonly edges: readonly EdgeBaseline[];
  /** From where on requests are counted; undefined: they are counted from this round on. */
  readonly requestsBefore: RequestsReading | undefined;
  /** Cluster time, ms: whatever was sampled before does not count. */
  readonly since: number;
  /** The template may have other limits than before, as long as they suffice: the fault is in the limits. */
  readonly limitsMayDiffer: boolean;
}
