import type { OracleVerdict } from "@microremed/contracts";
import type { OracleName } from "@microremed/faults";
import type { BaselineValues } from "./oracle-context.ts";
import type { Round } from "./round.ts";

/** The oracles that judge every fault's recovery: what a remedy may have broken elsewhere. */
export type GeneralOracleName = "neighbours" | "requests";

/**
 * One check on the live target. It judges every replica, and a number that could not be measured fails it.
 * A refusal of the cluster about the target is a failed check; an unreachable cluster or prober is an error.
 */
export interface Oracle {
  readonly name: OracleName | GeneralOracleName;
  /** What it must know of the healthy target, a number per key with the unit in the key. Absent: nothing. */
  baseline?(round: Round): Promise<BaselineValues>;
  /** Passed: the target is in order. */
  measure(round: Round): Promise<OracleVerdict>;
  /** Passed: the target clearly departs from its baseline. Only for oracles that are some fault's symptom. */
  symptom?(round: Round): Promise<OracleVerdict>;
}

/** Whether a verdict failed only for want of data: then nothing is known either way. */
export function isInconclusive(verdict: OracleVerdict): boolean {
  return !verdict.passed && verdict.measurements.some(({ value }) => value === null);
}
