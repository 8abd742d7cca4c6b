import { type ContainerSample, parseQuantity } from "@microremed/cluster";
import type { Measurement, OracleVerdict } from "@microremed/contracts";
import type { BaselineValues, OracleContext, Round } from "../oracle.ts";
import { judged, type SymptomVerdict, symptomOf } from "../verdict.ts";
import type { TargetState } from "./target-state.ts";

/** CPU or memory: what differs between the two. */
export interface ResourceMeter {
  readonly resource: "cpu" | "memory";
  readonly unit: string;
  /** Keys in the baseline. */
  readonly usageKey: string;
  readonly limitKey: string;
  readonly requestKey: string;
  /** By how much usage may exceed the baseline's, given the baseline's limit, if it had one; the faults add far more. */
  readonly allowance: (limit: number | undefined) => number;
  readonly read: (sample: ContainerSample) => number;
  /** A sample averages over its window instead of showing one moment. */
  readonly averages: boolean;
}

/** CPU in cores. A sample is the mean over its window. The allowance is a quarter of the limit, or of a core. */
export const cpuMeter: ResourceMeter = {
  resource: "cpu",
  unit: "cores",
  usageKey: "cpuUsageCores",
  limitKey: "cpuLimitCores",
  requestKey: "cpuRequestCores",
  allowance: (limit = 1) => limit / 4,
  read: ({ cpuCores }) => cpuCores,
  averages: true,
};

/** Memory in bytes. A sample is one moment. The allowance is a quarter of the limit, at most 512 MiB. */
export const memoryMeter: ResourceMeter = {
  resource: "memory",
  unit: "bytes",
  usageKey: "memoryUsageBytes",
  limitKey: "memoryLimitBytes",
  requestKey: "memoryRequestBytes",
  // The fault adds 1280 MiB; under a very high limit a quarter of it would hide that.
  allowance: (limit = Number.POSITIVE_INFINITY) => Math.min(limit / 4, 512 * 2 ** 20),
  read: ({ memoryBytes }) => memoryBytes,
  averages: false,
};

/** The target container of one pod. Null usage: no fresh sample; null limit: none is set. */
export interface UsageReading {
  readonly pod: string;
  /** Both in the meter's unit: cores or bytes. */
  readonly usage: number | null;
  readonly limit: number | null;
}

/** Reads every replica, taking only samples newer than the context's `since`. */
export async function readUsage(meter: ResourceMeter, round: Round): Promise<UsageReading[]> {
  return usageOf(meter, round.state, await round.samples(), round.context.since);
}

/**
 * Usage and limit of the target container in each pod of `state`. A sample of cluster time `since` (ms) or before
 * does not count.
 */
export function usageOf(
  meter: ResourceMeter,
  state: TargetState,
  samples: readonly ContainerSample[],
  since: number,
): UsageReading[] {
  return state.pods.map(({ metadata: { name }, spec }) => {
    const container = spec?.containers.find((one) => one.name === state.container);
    const sample = samples.find((one) => one.pod === name && one.container === state.container);
    return {
      pod: name,
      usage: sample && sample.at > since ? meter.read(sample) : null,
      limit: parseQuantity(container?.resources?.limits?.[meter.resource]) ?? null,
    };
  });
}

/** Usage, limit and request of the healthy target, of what it has; without a fresh sample of every replica there is no usage. */
export async function usageBaseline(meter: ResourceMeter, round: Round): Promise<BaselineValues> {
  const { state, context } = round;
  const samples = (await round.samples()).filter(
    (sample) => !meter.averages || sample.at - sample.windowMs >= context.since,
  );
  const readings = usageOf(meter, state, samples, context.since);
  const usages = readings.flatMap(({ usage }) => usage ?? []);
  const limits = readings.flatMap(({ limit }) => limit ?? []);
  const container = state.workload?.spec?.template?.spec?.containers.find(
    ({ name }) => name === state.container,
  );
  const request = parseQuantity(container?.resources?.requests?.[meter.resource]);
  return {
    ...(readings.length > 0 &&
      usages.length === readings.length && { [meter.usageKey]: Math.max(...usages) }),
    ...(readings.length > 0 &&
      limits.length === readings.length && { [meter.limitKey]: Math.min(...limits) }),
    ...(request !== undefined && { [meter.requestKey]: request }),
  };
}

/**
 * The least limit on which the workload lives: twice its usage and no less than its request, but no more than what it lived
 * on before.
 */
export function neededLimit(meter: ResourceMeter, baseline: BaselineValues): number | undefined {
  const usage = baseline[meter.usageKey];
  if (usage === undefined) return undefined;
  const enough = Math.max(2 * usage, baseline[meter.requestKey] ?? 0);
  return Math.min(enough, baseline[meter.limitKey] ?? enough);
}

/**
 * Passed: every replica has a fresh sample at most an allowance above the baseline and below half of its limit, and
 * the limit has been neither removed nor lowered. Where the baseline itself was near half of the limit, a tenth of the
 * limit above it is still in order. Where there was no limit, one that suffices may be there or not.
 */
export function judgeUsage(
  meter: ResourceMeter,
  readings: readonly UsageReading[],
  context: Pick<OracleContext, "baseline" | "resourcesMayDiffer">,
  at: number,
): OracleVerdict {
  const { baseline, resourcesMayDiffer } = context;
  const usageBefore = baseline[meter.usageKey];
  const limitBefore = baseline[meter.limitKey];
  const needed = neededLimit(meter, baseline);
  if (usageBefore === undefined || needed === undefined)
    return judged(meter.resource, [`the baseline has no ${meter.resource} usage to compare with`], "");
  const leastLimit = resourcesMayDiffer ? needed : (limitBefore ?? needed);
  const most = usageBefore + meter.allowance(limitBefore);
  const ceiling = (limit: number | null): number =>
    limit === null ? most : Math.min(most, Math.max(limit / 2, usageBefore + limit / 10));
  const measurements: Measurement[] = readings.map(({ pod, usage, limit }) => ({
    name: `${meter.resource} usage of ${pod}`,
    value: usage,
    unit: meter.unit,
    threshold: ceiling(limit ?? limitBefore ?? null),
    at,
  }));
  const problems = readings.flatMap(({ pod, usage, limit }) => {
    if (limit === null && limitBefore !== undefined)
      return [`pod ${pod} has no ${meter.resource} limit any more`];
    if (limit !== null && limit < leastLimit)
      return [`pod ${pod} has a ${meter.resource} limit of ${limit}, below ${leastLimit}`];
    if (usage === null) return [`there is no fresh ${meter.resource} sample of pod ${pod}`];
    if (usage >= ceiling(limit)) {
      return [`pod ${pod} uses ${round3(usage)} ${meter.unit}, at or above ${round3(ceiling(limit))}`];
    }
    return [];
  });
  if (readings.length === 0) problems.push("there are no pods to measure");
  return judged(meter.resource, problems, `${meter.resource} usage is back at its baseline`, measurements);
}

/** Shows when a replica's fresh sample is an allowance above the baseline. */
export function usageSymptom(
  meter: ResourceMeter,
  readings: readonly UsageReading[],
  baseline: BaselineValues,
  at: number,
): SymptomVerdict {
  const usageBefore = baseline[meter.usageKey];
  const threshold =
    usageBefore === undefined
      ? Number.POSITIVE_INFINITY
      : usageBefore + meter.allowance(baseline[meter.limitKey]);
  const signs = readings.flatMap(({ pod, usage }) =>
    usage !== null && usage > threshold
      ? [`pod ${pod} uses ${round3(usage)} ${meter.unit}, ${round3(usageBefore ?? 0)} before`]
      : [],
  );
  const measurements: Measurement[] = readings.map(({ pod, usage }) => ({
    name: `${meter.resource} usage of ${pod}`,
    value: usage,
    unit: meter.unit,
    threshold: Number.isFinite(threshold) ? threshold : null,
    at,
  }));
  return symptomOf(
    meter.resource,
    signs,
    `${meter.resource} usage does not depart from the baseline`,
    measurements,
  );
}

function round3(value: number): number {
  return Number(value.toPrecision(3));
}
