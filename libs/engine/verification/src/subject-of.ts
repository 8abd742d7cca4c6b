import type { Fault, FaultContext } from "@microremed/catalogue";

/** Which workload the oracles judge, where it is not the one that the target is or stands for. */
export function subjectOf(
  { showsOn }: Pick<Fault, "showsOn">,
  { environment, target }: FaultContext,
): { subject?: string } {
  const subject = showsOn?.(environment, target);
  return subject === undefined ? {} : { subject };
}
