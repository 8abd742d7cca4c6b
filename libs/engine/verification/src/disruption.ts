import { type Environment, meanLoad } from "@microremed/catalogue";
import type { Pod } from "@microremed/cluster";
import type {
  Baseline,
  Disruption,
  DisruptionPhase,
  InjectionEvidence,
  RequestReading,
} from "@microremed/contracts";
import { entryCounters } from "./requests/read-entry.ts";

export interface EpisodeTimes {
  readonly injectedAt: number;
  /** Start of the first playbook; null: unknown, and everything counts as the injection's. */
  readonly remedyAt: number | null;
  readonly endedAt: number;
  readonly mitigatedAt: number | null;
  readonly recoveredAt: number | null;
}

/** What the episode cost its users, from readings of the entry's requests and the pods as they are at the end. */
export function disruptionOf(
  environment: Environment,
  baseline: Baseline,
  injection: InjectionEvidence,
  readings: readonly RequestReading[],
  pods: readonly Pod[],
  times: EpisodeTimes,
): Disruption {
  const perSecond = entryCounters(environment, baseline.edges ?? [])?.baseline.perSecond;
  const { injectedAt, endedAt } = times;
  const startedAt = Math.min(injection.requests?.at ?? injectedAt, injectedAt);
  const remedyAt = Math.min(Math.max(times.remedyAt ?? endedAt, startedAt), endedAt);
  const all = injection.requests ? [injection.requests, ...readings] : [];
  const orders = baseline.load ? [baseline.load] : [];
  const usual = (from: number, to: number): number => (to > from ? meanLoad(orders, from, to) : 1);
  const phase = (from: number, to: number): DisruptionPhase => ({
    seconds: round1((to - from) / 1000),
    ...requestsWithin(all, perSecond === undefined ? undefined : perSecond * usual(from, to), from, to),
    podsRestarted: pods.filter((pod) => startedWithin(pod, from, to)).length,
  });
  const since = (at: number | null): number | null =>
    at === null ? null : Math.max(0, Math.round((at - injectedAt) / 100) / 10);
  return {
    injection: phase(startedAt, remedyAt),
    remedy: times.remedyAt === null ? null : phase(remedyAt, endedAt),
    mitigatedSeconds: since(times.mitigatedAt),
    recoveredSeconds: since(times.recoveredAt),
  };
}

/**
 * Requests that should have come at the load's rate and were not answered count as failed, for a dead entry counts
 * nothing. What happened between two readings is spread evenly over the time between them.
 */
function requestsWithin(
  readings: readonly RequestReading[],
  perSecond: number | undefined,
  from: number,
  to: number,
): Pick<DisruptionPhase, "requests" | "failed" | "slow" | "violationSeconds"> {
  if (perSecond === undefined || readings.length < 2) {
    return { requests: null, failed: null, slow: null, violationSeconds: null };
  }
  const requests = (perSecond * (to - from)) / 1000;
  let good = 0;
  let slow = 0;
  for (const [index, after] of readings.entries()) {
    const before = readings[index - 1];
    if (!before || after.at <= before.at) continue;
    const overlap = Math.max(0, Math.min(to, after.at) - Math.max(from, before.at));
    const share = overlap / (after.at - before.at);
    good += share * grown(before.good, after.good);
    slow += share * grown(before.slow, after.slow);
  }
  const late = Math.min(slow, requests);
  const failed = Math.max(0, requests - late - good);
  return {
    requests: round1(requests),
    failed: round1(failed),
    slow: round1(late),
    violationSeconds: round1((failed + late) / perSecond),
  };
}

/** A program that restarted counts from zero; the last counts of the old one are lost. */
const grown = (before: number, after: number): number => (after >= before ? after - before : after);

const round1 = (value: number): number => Math.round(value * 10) / 10;

/** Whether the pod is new, or its latest container start was a restart, in the time given. */
function startedWithin({ metadata, status }: Pod, from: number, to: number): boolean {
  const within = (time: string | undefined): boolean => {
    const at = Date.parse(time ?? "");
    return at > from && at <= to;
  };
  const restarts = (status?.containerStatuses ?? []).filter(({ restartCount }) => (restartCount ?? 0) > 0);
  return (
    within(metadata.creationTimestamp) || restarts.some(({ state }) => within(state?.running?.startedAt))
  );
}
