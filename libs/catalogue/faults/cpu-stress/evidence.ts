import {
  actsOn,
  type CauseLabels,
  type Evidence,
  pauseBefore,
  podAges,
  sharesOfLimits,
  usageAgain,
  usageCall,
  youngPods,
} from "@microremed/catalogue";

/** Share of its CPU limit from which on a container has none left, and from which on it is worth another reading. */
const saturatedAt = 0.9;
const suspectAt = 0.1;
/** One reading now, and two more while a container is on its way. */
const calls = [podAges, usageCall, pauseBefore(2), usageAgain(2), pauseBefore(3), usageAgain(3)];
const isReading = (_: unknown, index: number): boolean => index % 2 === 1;

/** A container uses all the CPU that its limit allows, and not because it has just started. */
export const saturatedCpu = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const young = youngPods(answers[0] ?? "");
    const last = answers.filter(isReading).at(-1) ?? "";
    const uses = sharesOfLimits(last).filter(({ pod }) => !young.has(pod));
    const rises = uses.some(({ cpu = 0 }) => cpu >= suspectAt && cpu < saturatedAt);
    const next = calls[answers.length];
    const isDue = answers.length < 2 || isReading(next, answers.length);
    if (next && (isDue || rises)) return next;
    return uses.filter(({ cpu = 0 }) => cpu >= saturatedAt).map(({ workload }) => actsOn(workload, labels));
  },
});
