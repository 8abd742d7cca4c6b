import {
  actsOn,
  type CauseLabels,
  type Evidence,
  sharesOfLimits,
  usageAfter,
  usageCall,
} from "@microremed/catalogue";

/** Share of its CPU limit from which on a container has none left, and from which on it is worth another reading. */
const saturatedAt = 0.9;
const suspectAt = 0.1;
/** One reading now, and two more, each after so many seconds, while a container is on its way. */
const calls = [usageCall, usageAfter(8), usageAfter(9)];

/** A container uses all the CPU that its limit allows. */
export const saturatedCpu = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const uses = sharesOfLimits(answers.at(-1) ?? "");
    const rises = uses.some(({ cpu = 0 }) => cpu >= suspectAt && cpu < saturatedAt);
    const next = calls[answers.length];
    if (next && (answers.length === 0 || rises)) return next;
    return uses.filter(({ cpu = 0 }) => cpu >= saturatedAt).map(({ workload }) => actsOn(workload, labels));
  },
});
