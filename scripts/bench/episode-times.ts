import type { SeenSpan } from "@microremed/service-kit/testing";

/** Where the wall time of one episode went, ms, by part. The parts of an episode add up to its whole time. */
export type EpisodeTimes = ReadonlyMap<string, number>;

/** Parts of an episode's work that ran at the same time: a negative number, so that all parts add up to the wall time. */
const atOnce = "counted twice: parts at the same time";

interface Part {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Splits each episode's time, from its first lease to its end, by the spans of its trace: for each stage the time until a
 * service takes the command, the work on it, and the time until the scheduler takes the result; what is in no stage is the
 * scheduler's. The work is split further: a model's calls and Ansible's runs by their spans, the rest by the cluster's
 * account (`cluster_request_ms`, `cluster_wait_ms`) and what is left.
 */
export function episodeTimes(spans: readonly SeenSpan[]): EpisodeTimes[] {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  return [...traces.values()].flatMap((trace) => {
    const episode = trace.find(({ name }) => name === "episode");
    return episode ? [timesOf(episode, trace)] : [];
  });
}

function timesOf(episode: SeenSpan, trace: readonly SeenSpan[]): EpisodeTimes {
  const times = new Map<string, number>();
  const add = (part: string, ms: number): void => void times.set(part, (times.get(part) ?? 0) + ms);
  const stages = trace.filter(({ name }) => name.startsWith("stage "));
  let inStages = 0;
  for (const stage of stages) {
    const name = stage.name.slice("stage ".length);
    const whole = lengthOf(stage);
    inStages += whole;
    const deliveries = trace
      .filter((one) => one.name === `process commands.${name}` && beginsIn(one, stage))
      .map((one) => ({ ...one, endedAt: Math.min(one.endedAt, stage.endedAt) }));
    const [first] = deliveries.toSorted((a, b) => a.startedAt - b.startedAt);
    const working = deliveries.reduce((sum, one) => sum + lengthOf(one), 0);
    const queued = first ? Math.max(0, first.startedAt - stage.startedAt) : 0;
    add(`${name}: until taken`, queued);
    const left = whole - queued - working;
    if (left >= 0) add(`${name}: until the result is taken`, left);
    else add(atOnce, left);
    for (const delivery of deliveries) splitWork(name, delivery, trace, add);
  }
  const between = lengthOf(episode) - inStages;
  if (between >= 0) add("between stages", between);
  else add(atOnce, between);
  return times;
}

function splitWork(
  stage: string,
  delivery: SeenSpan,
  trace: readonly SeenSpan[],
  add: (part: string, ms: number) => void,
): void {
  const below = (name: string): number =>
    trace
      .filter((one) => one.name.startsWith(name) && beginsIn(one, delivery))
      .reduce((sum, one) => sum + lengthOf(one), 0);
  const parts = [
    ["model", below("chat ")],
    ["probes", below("request rpc.probe")],
    ["Ansible", below("ansible-playbook")],
    ["requests to the cluster", msOf(delivery, "request")],
    ["waits on the cluster's clock", msOf(delivery, "wait")],
  ] as const;
  for (const [what, ms] of parts) if (ms > 0) add(`${stage}: ${what}`, ms);
  const known = parts.reduce((sum, [, ms]) => sum + ms, 0);
  const left = lengthOf(delivery) - known;
  if (left >= 0) add(`${stage}: its own work`, left);
  else add(atOnce, left);
}

const msOf = ({ attributes }: SeenSpan, what: "request" | "wait"): number =>
  Number(attributes[`microremed.cluster_${what}_ms`] ?? 0);

const lengthOf = ({ startedAt, endedAt }: Part): number => endedAt - startedAt;

/** A service acknowledges a command after its result is sent, which the scheduler may have taken by then. */
const beginsIn = (one: Part, outer: Part): boolean =>
  one.startedAt >= outer.startedAt && one.startedAt <= outer.endedAt;
