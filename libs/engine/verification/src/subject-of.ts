import type { Fault, FaultContext } from "@microremed/catalogue";

/** The workload that the oracles check, if it is not the target's. */
export function subjectOf(
  { showsOn }: Pick<Fault, "showsOn">,
  { environment, target }: FaultContext,
): { subject?: string } {
  const subject = showsOn?.(environment, target);
  return subject === undefined ? {} : { subject };
}
