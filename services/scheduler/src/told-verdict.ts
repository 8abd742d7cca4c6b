import type { ExperimentRequest, Verdict } from "@microremed/contracts";

/** Whether the verdict that the method is told, of the two, says that the target has recovered. */
export function isTold(
  verdict: Verdict | null,
  { verdict: which }: Pick<ExperimentRequest, "verdict">,
): boolean {
  if (verdict === null) return false;
  return which === "microremed" ? verdict.microremed.recovered : verdict.recovered;
}
