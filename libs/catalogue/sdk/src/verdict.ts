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

/** The verdict about a symptom: it shows when at least one replica has it. */
export function symptomOf(
  oracle: string,
  signs: readonly string[],
  whenAbsent: string,
  measurements: readonly Measurement[],
): OracleVerdict {
  const passed = signs.length > 0;
  return { oracle, passed, reason: passed ? signs.join("; ") : whenAbsent, measurements: [...measurements] };
}
