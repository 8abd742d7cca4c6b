import type { Measurement, OracleVerdict } from "@microremed/contracts";

/** A verdict from the list of what is wrong: none, and it passed. */
export function judged(
  oracle: string,
  problems: readonly string[],
  whenPassed: string,
  measurements: readonly Measurement[] = [],
): OracleVerdict {
  return {
    oracle,
    passed: problems.length === 0,
    reason: problems.length === 0 ? whenPassed : problems.join("; "),
    measurements: [...measurements],
  };
}

/** What an oracle says about the symptom of a fault. A number that could not be measured (null) shows no symptom. */
export interface SymptomVerdict {
  readonly oracle: string;
  /** True: the target has the symptom. */
  readonly shows: boolean;
  readonly reason: string;
  readonly measurements: readonly Measurement[];
}

/** The symptom shows when at least one replica has a sign of it. */
export function symptomOf(
  oracle: string,
  signs: readonly string[],
  whenAbsent: string,
  measurements: readonly Measurement[],
): SymptomVerdict {
  const shows = signs.length > 0;
  return { oracle, shows, reason: shows ? signs.join("; ") : whenAbsent, measurements };
}
