import {
  type EndStep,
  type EpisodeRecord,
  type Execution,
  endSteps,
  type Observation,
  type StageBody,
  type Step,
} from "@microremed/contracts";

type Place = "number" | "attempt" | "startedAt" | "endedAt" | "clusterTime";
type Unplaced<S> = S extends unknown ? Omit<S, Place> : never;

/** The record with what a turn has seen. */
export function observed(record: EpisodeRecord, observations: readonly Observation[]): EpisodeRecord {
  const { attempt, steps } = record;
  const seen = observations.map(({ startedAt, milliseconds, ...call }, i): Step => {
    const endedAt = startedAt === null || milliseconds === null ? null : startedAt + milliseconds;
    return { ...call, number: steps.length + i + 1, attempt, startedAt, endedAt, clusterTime: null };
  });
  return { ...record, steps: [...steps, ...seen] };
}

/** The record with the step that its turn ends with, at `now`. */
export function endOfTurn(record: EpisodeRecord, end: Unplaced<EndStep>, now: number): EpisodeRecord {
  const { attempt, steps } = record;
  const endedAt = end.kind === "act" ? null : now;
  const place = { number: steps.length + 1, attempt, startedAt: now, endedAt, clusterTime: null };
  return { ...record, steps: [...steps, { ...end, ...place }] };
}

/** The record with what its last action has come to. */
export function ran(record: EpisodeRecord, execution: Execution, now: number): EpisodeRecord {
  return withLastEnd(record, (step) =>
    step.kind === "act"
      ? { ...step, result: execution, endedAt: now, clusterTime: execution.startedAt ?? null }
      : step,
  );
}

/** The record with the grade of its last action or answer. */
export function graded(record: EpisodeRecord, { grade, verdict }: StageBody<"grade">): EpisodeRecord {
  return withLastEnd(record, (step) =>
    step.kind === "act" ? { ...step, grade, verdict } : { ...step, result: grade, verdict },
  );
}

/** What the last turn ended with. */
export function lastEnd({ steps }: Pick<EpisodeRecord, "steps">): EndStep | undefined {
  return endSteps(steps).at(-1);
}

function withLastEnd(record: EpisodeRecord, change: (step: EndStep) => EndStep): EpisodeRecord {
  const last = lastEnd(record);
  const steps = record.steps.map((step) => (step === last ? change(last) : step));
  return { ...record, steps };
}
