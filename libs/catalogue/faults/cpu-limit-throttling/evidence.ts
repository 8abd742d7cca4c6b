import {
  type CauseLabels,
  type ChangedField,
  changedFields,
  changeFinding,
  commonCalls,
  type Evidence,
  pauseBefore,
  podAges,
  sharesOfLimits,
  usageAgain,
  usageCall,
} from "@microremed/catalogue";

/** Share of its CPU limit from which on a container is throttled in most periods. */
const throttledAt = 0.9;
/** One reading now, and two more: what has just begun is not yet in the means of the metrics API. */
const calls = [podAges, usageCall, pauseBefore(2), usageAgain(2), pauseBefore(3), usageAgain(3)];
const readings = [1, 3, 5];

const isCpuLimit = ({ field, knowsBefore, is }: ChangedField): boolean =>
  knowsBefore && is !== null && /\.resources\.limits\.cpu$/.test(field);

/** A limit of CPU that was changed lately, of a workload that now uses up all that it allows. */
export const loweredLimit = (labels: CauseLabels): Evidence => ({
  next([log, ...answers]) {
    if (log === undefined) return commonCalls.changes;
    const changes = changedFields(log).filter(isCpuLimit);
    if (changes.length === 0) return [];
    const throttled = new Set(
      readings
        .flatMap((index) => sharesOfLimits(answers[index] ?? ""))
        .filter(({ cpu = 0 }) => cpu >= throttledAt)
        .map(({ workload: { kind, name } }) => `${kind}/${name}`),
    );
    const found = changes.filter(({ object: { kind, name } }) => throttled.has(`${kind}/${name}`));
    const next = calls[answers.length];
    if (found.length === 0 && next) return next;
    return found.map((change) => changeFinding(change, labels));
  },
});
