import {
  type CauseLabels,
  type ChangedField,
  changedFields,
  changeFinding,
  commonCalls,
  type Evidence,
  pauseOf,
  shellCall,
} from "@microremed/catalogue";

/** Share of a node's CPU, percent, from which on it has none left. */
const fullAt = 95;

/** Deployments with the CPU that each of their containers requests. */
const requests = shellCall(
  `kubectl get deployments -o jsonpath='{range .items[*]}D {.metadata.name}{range .spec.template.spec.containers[*]} [{.resources.requests.cpu}]{end}{"\\n"}{end}'`,
);
const nodes = (reading: number) =>
  shellCall(`kubectl top nodes --no-headers | awk -v reading=${reading} '{ print "N", $1, $3 }'`);
/** What has just begun is not yet in the means of the metrics API. */
const calls = [requests, nodes(1), pauseOf(16), nodes(2), pauseOf(17), nodes(3)];

const isLimitGone = ({ field, knowsBefore, was, is }: ChangedField): boolean =>
  knowsBefore && was !== null && is === null && /\.resources\.limits\.cpu$/.test(field);

const isFull = (answer: string): boolean =>
  [...answer.matchAll(/^N \S+ (\d+)%$/gm)].some(([, percent]) => Number(percent) >= fullAt);

/** Deployments with a container that asks for no CPU: on a full node they get what the others leave. */
const withoutRequest = (answer: string): string[] =>
  [...answer.matchAll(/^D (\S+)(.*)$/gm)].flatMap(([, name = "", of = ""]) =>
    of.includes("[]") || of.includes("[0]") ? [name] : [],
  );

/** A limit of CPU that was taken away lately, while nodes are full and another workload asks for no CPU. */
export const limitTakenAway = (labels: CauseLabels): Evidence => ({
  next([log, ...answers]) {
    if (log === undefined) return commonCalls.changes;
    const changes = changedFields(log).filter(isLimitGone);
    if (changes.length === 0) return [];
    const next = calls[answers.length];
    if (next && !answers.some(isFull)) return next;
    if (!answers.some(isFull)) return [];
    return changes.flatMap((change) =>
      withoutRequest(answers[0] ?? "")
        .filter((name) => name !== change.object.name)
        .map((workload) => changeFinding(change, labels, workload)),
    );
  },
});
