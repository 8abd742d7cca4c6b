import {
  actsOn,
  type CauseLabels,
  type Evidence,
  pauseBefore,
  sharesOfLimits,
  usageAgain,
  usageCall,
} from "@microremed/catalogue";

/** Share of its CPU limit from which on a container has none left, and from which on it is worth another reading. */
const saturatedAt = 0.9;
const suspectAt = 0.1;
/** One reading now, and two more while a container is on its way. */
const calls = [usageCall, pauseBefore(2), usageAgain(2), pauseBefore(3), usageAgain(3)];
const isReading = (_: unknown, index: number): boolean => index % 2 === 0;

/** A container uses all the CPU that its limit allows. */
export const saturatedCpu = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const uses = sharesOfLimits(answers.filter(isReading).at(-1) ?? "");
    const rises = uses.some(({ cpu = 0 }) => cpu >= suspectAt && cpu < saturatedAt);
    const next = calls[answers.length];
    const isPaused = answers.length % 2 === 0;
    if (next && (isPaused || rises)) return next;
    return uses.filter(({ cpu = 0 }) => cpu >= saturatedAt).map(({ workload }) => actsOn(workload, labels));
  },
});
