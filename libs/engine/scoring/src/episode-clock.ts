import {
  type EndStep,
  type EpisodeRecord,
  type InjectionEvidence,
  isInjected,
  type ThinkTime,
  taskOf,
  turnSteps,
  type Usage,
  type Verdict,
} from "@microremed/contracts";

/** Seconds on the cluster's clock, by what they were used for. */
export interface ClockTime {
  /** From the injection until the agent was asked: its symptom was proven. In a watch until the window's end. */
  readonly before: number;
  /** What thinking counts, by the request. */
  readonly thinking: number;
  /** Tools that observe, and waits. */
  readonly tools: number;
  /** From the start of an action until the system recovered, or until its verification ended. */
  readonly acting: number;
}

/** One turn of the agent on that clock. */
export interface TurnTime {
  readonly step: EndStep;
  readonly task: string;
  /** Seconds from the injection to the end of the turn; null: a part of it is not known. */
  readonly endsAt: number | null;
  readonly spent: Omit<ClockTime, "before">;
}

type Clocked = Pick<EpisodeRecord, "injection" | "steps" | "task" | "watched">;

/** Until the agent could be asked, s: its symptom was proven; in a watch until the agent was asked last, and 0 where nothing was injected. */
export function secondsBefore({ injection, watched }: Clocked): number {
  if (injection === null) return 0;
  if (watched !== undefined)
    return isInjected(injection) ? Math.max(0, watched.askedAt - injection.injectedAt) / 1000 : 0;
  const measured = injection.verdict.measurements.map(({ at }) => at);
  const asked = injection.askedFrom === undefined ? [] : [injection.askedFrom];
  return Math.max(0, (Math.max(injection.injectedAt, ...measured, ...asked) - injection.injectedAt) / 1000);
}

/**
 * The turns of an episode on the cluster's clock, from the injection on: what the agent's tools and actions took there,
 * and what its thinking counts. What the harness did between two turns is not in it: queues, grading, other episodes on
 * the same cluster.
 */
export function turnTimes(record: Clocked, thinkTime: ThinkTime): TurnTime[] {
  let at: number | null = record.injection === null ? null : secondsBefore(record);
  let actedUntil: number | null = null;
  return turnSteps(record.steps).map((step) => {
    const acted = actingOf(step, actedUntil, record);
    actedUntil = acted?.until ?? actedUntil;
    const thinking = thinkingOf(step.turn.usage, thinkTime);
    const tools = toolsOf(step);
    if (record.watched && record.injection && step.clusterTime !== null)
      at = (step.clusterTime - record.injection.injectedAt) / 1000;
    const spent = { thinking: thinking ?? 0, tools: tools ?? 0, acting: acted?.seconds ?? 0 };
    const isKnown = thinking !== null && tools !== null && acted !== null;
    at = at !== null && isKnown ? at + spent.thinking + spent.tools + spent.acting : null;
    return { step, task: step.task ?? taskOf(record), endsAt: at, spent };
  });
}

function thinkingOf({ calls, modelSeconds, completionTokens }: Usage, thinkTime: ThinkTime): number | null {
  if (thinkTime === "zero") return 0;
  if (typeof thinkTime === "number") return (completionTokens / 1000) * thinkTime;
  return calls === 0 ? 0 : (modelSeconds ?? null);
}

function toolsOf({ turn }: EndStep): number | null {
  if (turn.toolClusterMs !== undefined) return turn.toolClusterMs / 1000;
  return turn.probes === 0 ? 0 : null;
}

interface Acted {
  readonly seconds: number;
  /** Cluster time, ms, up to which it counts; null: nothing was done yet. */
  readonly until: number | null;
}

/**
 * What a step took besides thinking and observing; null: not known. After a verdict it is the time until the system had
 * recovered, or was measured last.
 */
function actingOf(step: EndStep, actedUntil: number | null, { injection }: Clocked): Acted | null {
  const execution = step.kind === "act" && step.result?.status !== "rejected" ? step.result : null;
  const from = execution === null ? actedUntil : execution.startedAt;
  if (from === undefined) return null;
  if (from === null) return { seconds: 0, until: null };
  const measured = step.verdict && injection && measuredUntil(step.verdict, injection);
  if (typeof measured === "number") return { seconds: Math.max(0, measured - from) / 1000, until: measured };
  if (execution === null) return { seconds: 0, until: from };
  const seconds = execution.clusterSeconds ?? execution.wallSeconds;
  return { seconds, until: from + seconds * 1000 };
}

function measuredUntil(verdict: Verdict, injection: InjectionEvidence): number | undefined {
  const { recoveredSeconds } = verdict.disruption;
  if (verdict.recovered && recoveredSeconds !== null) return injection.injectedAt + recoveredSeconds * 1000;
  return verdict.oracles
    .flatMap(({ measurements }) => measurements.map(({ at }) => at))
    .toSorted((a, b) => b - a)[0];
}
