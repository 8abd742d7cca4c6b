import {
  cpuMeter,
  memoryMeter,
  type PingReading,
  type PublishedCheck,
  type ResourceMeter,
  type Round,
  type TargetState,
  type WriteReading,
} from "@microremed/catalogue";
import { parseQuantity } from "@microremed/cluster";
import type { Measurement } from "@microremed/contracts";

/** One evaluation of one of the published checks. */
export interface Check {
  readonly passed: boolean;
  readonly reason: string;
  readonly measurements: readonly Measurement[];
}

/** chaos/check_status.py: usage at or above this share of the limit is not normal. */
const ratioThreshold = 0.5;
/** chaos/check_status.py: containers that are not judged. */
const sidecar = /sidecar|busybox/;
const ping = { echoes: 3, windowMs: 10_000, pauseMs: 2000, lastWaitMs: 2000, mostMs: 1000 } as const;
const disk = { writes: 10, bytes: 10 * 2 ** 20, leastBytesPerSecond: 10e6 } as const;

/** Nothing was measured on a service without pods: whatever its code does then, it was not meant to pass. */
function verdictOf(
  { pods, target }: TargetState,
  found: readonly string[],
  well: string,
  measurements: Measurement[],
): Check {
  const problems = pods.length === 0 ? [`${target} has no pods`] : found;
  const passed = problems.length === 0;
  return { passed, reason: passed ? well : problems.join("; "), measurements };
}

/**
 * Every container but sidecars uses less than half of its limit, in one sample of any age. One without a limit is not
 * judged. A pod that has no sample yet passes the CPU check and fails the memory check.
 */
async function checkUsage(meter: ResourceMeter, { state, samples }: Round): Promise<Check> {
  const problems: string[] = [];
  const measurements: Measurement[] = [];
  const found = await samples();
  for (const { metadata, spec } of state.pods) {
    for (const { name, resources } of spec?.containers ?? []) {
      const limit = parseQuantity(resources?.limits?.[meter.resource]);
      if (sidecar.test(name) || limit === undefined) continue;
      const sample = found.find((one) => one.pod === metadata.name && one.container === name);
      const ratio = sample === undefined ? null : meter.read(sample) / limit;
      measurements.push({
        name: `${meter.resource} usage of ${metadata.name}/${name} as a share of its limit`,
        value: ratio,
        unit: "share",
        threshold: ratioThreshold,
        at: state.at,
      });
      if (ratio === null && meter === memoryMeter) problems.push(`${metadata.name}/${name} has no metrics`);
      if (ratio !== null && ratio >= ratioThreshold) {
        problems.push(
          `${metadata.name}/${name} uses ${Math.round(100 * ratio)} % of its ${meter.resource} limit`,
        );
      }
    }
  }
  return verdictOf(
    state,
    problems,
    `no ${meter.resource} usage of half a limit or more was seen`,
    measurements,
  );
}

/** All pods are Running and Ready (one without that condition counts as Ready), and metrics are answered. */
async function checkPods({ state, samples }: Round): Promise<Check> {
  const problems = podProblems(state);
  if ((await samples()).length === 0) problems.push("there are no metrics");
  const running = state.pods.length - problems.length;
  const name = `pods of ${state.target} that are Running and Ready`;
  return verdictOf(state, problems, "all pods are Running and Ready", [
    { name, value: Math.max(0, running), unit: "pods", threshold: state.pods.length, at: state.at },
  ]);
}

export function podProblems({ pods, target }: TargetState): string[] {
  if (pods.length === 0) return [`${target} has no pods`];
  return pods.flatMap(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status ?? "True";
    const well = status?.phase === "Running" && ready === "True" && metadata.deletionTimestamp === undefined;
    return well ? [] : [`pod ${metadata.name} is not Running and Ready`];
  });
}

/** One round of three pings without loss and with a mean of at most 1000 ms, in every pod, within ten seconds. */
async function checkPings({ state, pings }: Round): Promise<Check> {
  const readings = await pings();
  const problems = readings.flatMap((reading) => {
    const rounds = pingRounds(reading.echoes);
    return rounds.some(isCleanRound)
      ? []
      : [`none of ${rounds.length} rounds of 3 pings of ${reading.pod} was clean`];
  });
  const measurements = readings.map((reading: PingReading) => ({
    name: `clean rounds of 3 pings of ${reading.pod}`,
    value: reading.sent === null ? null : pingRounds(reading.echoes).filter(isCleanRound).length,
    unit: "rounds",
    threshold: 1,
    at: state.at,
  }));
  return verdictOf(state, problems, "a round of 3 pings was clean", measurements);
}

type Echo = number | null;

/**
 * The rounds that MicroRemed would have had time for, made of our echoes: packets are lost independently of when they
 * are sent. A round takes 2 s, and 2 s more when its last echo is waited for; 2 s lie between rounds; the last one
 * starts before 10 s are over. It ends with the first clean one.
 */
export function pingRounds(echoes: readonly Echo[]): (readonly Echo[])[] {
  const rounds: (readonly Echo[])[] = [];
  for (let at = 0; at < ping.windowMs; at += ping.pauseMs) {
    const round = echoes.slice(rounds.length * ping.echoes, (rounds.length + 1) * ping.echoes);
    if (round.length < ping.echoes) break;
    rounds.push(round);
    if (isCleanRound(round)) break;
    at += (ping.echoes - 1) * 1000 + (round.at(-1) === null ? ping.lastWaitMs : 0);
  }
  return rounds;
}

export function isCleanRound(round: readonly Echo[]): boolean {
  const times = round.filter((ms) => ms !== null);
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  return times.length === round.length && mean <= ping.mostMs;
}

/** Ten writes of 1 MiB at 10 MB/s or more in every pod. A write that fails at once is as quick as one that works. */
async function checkWrites({ state, writes }: Round): Promise<Check> {
  const readings = await writes();
  const problems = readings.flatMap((reading) => {
    const rate = writeRate(reading);
    if (rate === null) return [`nothing could be run in pod ${reading.pod}`];
    return rate < disk.leastBytesPerSecond ? [`${reading.pod} writes ${Math.round(rate / 1e6)} MB/s`] : [];
  });
  const measurements = readings.map((reading) => ({
    name: `write rate of ${reading.pod}`,
    value: finite(writeRate(reading)),
    unit: "bytes/s",
    threshold: disk.leastBytesPerSecond,
    at: state.at,
  }));
  return verdictOf(state, problems, "writes are quick", measurements);
}

/** Bytes per second; infinite when dd failed at once, null when nothing could be run, 0 when it was stopped as slow. */
export function writeRate({ exitCode, seconds }: WriteReading): number | null {
  if (exitCode === null) return null;
  const total = seconds.slice(0, disk.writes).reduce((sum, one) => sum + one, 0);
  if (exitCode !== 0 && total < 1) return Number.POSITIVE_INFINITY;
  return seconds.length < disk.writes ? 0 : disk.bytes / total;
}

const finite = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null;

async function checkConfig(round: Round): Promise<Check> {
  const cpu = await checkUsage(cpuMeter, round);
  if (!cpu.passed) return cpu;
  const memory = await checkUsage(memoryMeter, round);
  return { ...memory, measurements: [...cpu.measurements, ...memory.measurements] };
}

/** The published checks, by their names in the faults' entries. */
export const publishedChecks: Readonly<Record<PublishedCheck, (round: Round) => Promise<Check>>> = {
  cpu: (round) => checkUsage(cpuMeter, round),
  memory: (round) => checkUsage(memoryMeter, round),
  pods: checkPods,
  pings: checkPings,
  writes: checkWrites,
  resources: checkConfig,
};
