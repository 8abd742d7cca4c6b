import { type EpisodeRecord, type Grade, lastGradeOf } from "@microremed/contracts";
import type { EpisodePlan } from "./plan.ts";
import { attemptNumber } from "./steps.ts";

/** The plan with the rules of the task that is asked now: of a cycle one of several, else the episode's only one. */
export function planNow(record: Pick<EpisodeRecord, "asked">, plan: EpisodePlan): EpisodePlan {
  const { parts, outcomes, watch } = plan.task;
  const part = parts?.find(({ name }) => name === record.asked) ?? parts?.[0];
  return parts && part ? { ...plan, task: { ...part, parts, outcomes, ...(watch && { watch }) } } : plan;
}

/** The record with the steps of the task that is asked now alone. */
export function inTask(record: EpisodeRecord): EpisodeRecord {
  const { asked, steps } = record;
  return asked === undefined ? record : { ...record, steps: steps.filter(({ task }) => task === asked) };
}

/** The task that is asked after this one; undefined: none. */
export function taskAfter(
  { asked }: EpisodeRecord,
  { task: { parts = [] } }: EpisodePlan,
): string | undefined {
  const names = parts.map(({ name }) => name);
  return asked === undefined ? undefined : names[names.indexOf(asked) + 1];
}

/** Number of the attempt at the task that is asked now, from 1. */
export function attemptInTask(record: EpisodeRecord): number {
  return attemptNumber(record) - firstAttempt(record) + 1;
}

/** Number of the first attempt at the task that is asked now, within the episode. */
export function firstAttempt({ asked, steps }: Pick<EpisodeRecord, "asked" | "steps">): number {
  const before = asked === undefined ? [] : steps.filter(({ task }) => task !== asked);
  return Math.max(0, ...before.map(({ attempt }) => attempt)) + 1;
}

/** What each task of a cycle came to, in their order; null: it was not graded. */
export function gradesOf(
  record: EpisodeRecord,
  { task: { parts = [] } }: EpisodePlan,
): { readonly name: string; readonly grade: Grade | null }[] {
  return parts.map(({ name }) => ({ name, grade: lastGradeOf(inTask({ ...record, asked: name })) }));
}
