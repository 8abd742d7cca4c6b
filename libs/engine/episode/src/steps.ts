import {
  type ActStep,
  actionsWithin,
  type BrokenTurn,
  type EndStep,
  type EpisodeRecord,
  nothingTool,
  noUsage,
  type Observation,
  type StageBody,
  type Step,
  shellTool,
  turnSteps,
  undoTool,
} from "@microremed/contracts";

type Place = "number" | "attempt" | "startedAt" | "endedAt" | "clusterTime";
type Unplaced<S> = S extends unknown ? Omit<S, Place> : never;

/** The record with what a turn has seen. */
export function observed(record: EpisodeRecord, observations: readonly Observation[]): EpisodeRecord {
  const attempt = attemptNumber(record);
  const { steps } = record;
  const asked = taskIn(record);
  const from = nextNumber(steps);
  const seen = observations.map(({ startedAt, milliseconds, ...call }, i): Step => {
    const endedAt = startedAt === null || milliseconds === null ? null : startedAt + milliseconds;
    return {
      ...call,
      number: from + i,
      attempt,
      ...asked,
      startedAt,
      endedAt,
      clusterTime: null,
    };
  });
  return { ...record, steps: withoutOldest([...steps, ...seen]) };
}

/** Observations of an episode that are kept, the latest: a watch has many turns. */
const mostSeen = 2_000;

function withoutOldest(steps: readonly Step[]): Step[] {
  let tooMany = steps.filter(({ kind }) => kind === "observe").length - mostSeen;
  return steps.filter(({ kind }) => kind !== "observe" || tooMany-- <= 0);
}

const nextNumber = (steps: readonly Step[]): number => (steps.at(-1)?.number ?? 0) + 1;

/** The record with the step that its turn ends with, at `now`. */
export function endOfTurn(record: EpisodeRecord, end: Unplaced<EndStep>, now: number): EpisodeRecord {
  const attempt = attemptNumber(record);
  const { steps } = record;
  const endedAt = end.kind === "act" ? null : now;
  const place = {
    number: nextNumber(steps),
    attempt,
    ...taskIn(record),
    startedAt: now,
    endedAt,
    clusterTime: record.watched?.askedAt ?? null,
  };
  return { ...record, steps: [...steps, { ...end, ...place }] };
}

/** The record with a turn that an error of the harness has ended; `turn`: what it had seen and used, where that is known. */
export function broken(
  record: EpisodeRecord,
  turn: BrokenTurn["turn"],
  reason: string,
  now: number,
): EpisodeRecord {
  const { observations, ...cost } = turn ?? { observations: [], usage: noUsage, probes: 0 };
  const end = { kind: "submit", tool: nothingTool, arguments: null, reason } as const;
  const seen = observed(record, observations);
  return endOfTurn(seen, { ...end, turn: cost, verdict: null, result: null }, now);
}

/** Of a cycle the steps say at which of its tasks they were done. */
function taskIn({ asked }: Pick<EpisodeRecord, "asked">): Pick<Step, "task"> {
  return asked === undefined ? {} : { task: asked };
}

/** The record with what its last action has come to. */
export function ran(
  record: EpisodeRecord,
  { execution, changed }: StageBody<"act">,
  now: number,
): EpisodeRecord {
  const done = { result: execution, endedAt: now, clusterTime: execution.startedAt ?? null };
  return withLastEnd(record, (step) =>
    step.kind === "act" ? { ...step, ...done, ...(changed && { changed }) } : step,
  );
}

/**
 * Number of the attempt. Each action after which a turn goes on counts `attempt` of the record up as well, so that every
 * command has a key of its own.
 */
export function attemptNumber({ attempt, steps }: Pick<EpisodeRecord, "attempt" | "steps">): number {
  return Math.max(1, attempt - actionsWithin(steps).filter(({ result }) => result !== null).length);
}

/** Whether something was done since the system was last graded. */
export function isUngraded({ steps }: Pick<EpisodeRecord, "steps">): boolean {
  const all = turnSteps(steps);
  const graded = all.findLastIndex(({ verdict }) => verdict !== null);
  return all.slice(graded + 1).some((step) => step.kind === "act" && step.goesOn);
}

/** The last action that was not undone yet, and that can be. */
export function lastUndoable({ steps }: Pick<EpisodeRecord, "steps">): ActStep | undefined {
  const done: ActStep[] = [];
  for (const step of actionsWithin(steps)) {
    if (step.tool === undoTool && step.result?.status === "ok") done.pop();
    else if (step.tool === shellTool && (step.changed?.length ?? 0) > 0) done.push(step);
  }
  return done.at(-1);
}

/** The record with the grade of its last action or answer. */
export function graded(record: EpisodeRecord, { grade, verdict }: StageBody<"grade">): EpisodeRecord {
  return withLastEnd(record, (step) =>
    step.kind === "act" ? { ...step, grade, verdict } : { ...step, result: grade, verdict },
  );
}

/** What the last turn ended with, or went on after. */
export function lastEnd({ steps }: Pick<EpisodeRecord, "steps">): EndStep | undefined {
  return turnSteps(steps).at(-1);
}

function withLastEnd(record: EpisodeRecord, change: (step: EndStep) => EndStep): EpisodeRecord {
  const last = lastEnd(record);
  const steps = record.steps.map((step) => (step === last ? change(last) : step));
  return { ...record, steps };
}
