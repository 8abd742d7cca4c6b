import {
  type ContainerSample,
  defineOracle,
  judged,
  kinds,
  type Measurement,
  type OracleVerdict,
  type Round,
  type SymptomVerdict,
  selectorText,
  symptomOf,
} from "@microremed/catalogue";

/** Cluster time, ms, between two samples that are compared, at least, and until the second one must be there. */
const apartMs = 30_000;
const withinMs = 90_000;
const pollMs = 5_000;
/** By how much the memory of a healthy program may grow faster than before, bytes per minute. */
const allowance = 8 * 2 ** 20;
const growthKey = "memoryGrowthBytesPerMinute";

/** The memory of no replica grows on and on. */
export default defineOracle({
  name: "growth",
  description: "the memory of no replica grows from one minute to the next",
  cost: 60,
  async baseline(round) {
    const found = (await readGrowth(round)).flatMap(({ perMinute }) => perMinute ?? []);
    return found.length === 0 ? {} : { [growthKey]: Math.max(0, ...found) };
  },
  measure: async (round) =>
    judgeGrowth(await readGrowth(round), round.context.baseline[growthKey], round.state.at),
  symptom: async (round) =>
    growthSymptom(await readGrowth(round), round.context.baseline[growthKey], round.state.at),
});

/** Of the target container of one pod. */
export interface Growth {
  readonly pod: string;
  /** Bytes per minute; null: there were no two samples of the same process. */
  readonly perMinute: number | null;
}

interface Seen {
  readonly sample: ContainerSample;
  /** Restarts of the container when the sample was seen. */
  readonly restarts: number | undefined;
}

/** Takes a second sample of each pod some time after its first, which a new pod has a little later. */
async function readGrowth({ state, context }: Round): Promise<Growth[]> {
  const { cluster, namespace, signal } = context;
  const labels = selectorText(state.spec.selector);
  const deadline = (await cluster.clock.now()) + withinMs;
  const first = new Map<string, Seen>();
  for (;;) {
    const samples = await cluster.podMetrics(namespace, labels);
    const pods = (await cluster.list(kinds.pod, { namespace, labelSelector: labels })).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
    const growths = pods.map((pod): Growth => {
      const { name } = pod.metadata;
      const sample = samples.find((one) => one.pod === name && one.container === state.container);
      const restarts = restartsOf(pod, state.container);
      const before = first.get(name);
      if (sample && !before) first.set(name, { sample, restarts });
      return { pod: name, perMinute: before && sample ? growthOf(before, { sample, restarts }) : null };
    });
    const isLate = (await cluster.clock.now()) >= deadline;
    if (isLate || (growths.length > 0 && growths.every(({ perMinute }) => perMinute !== null)))
      return growths;
    await cluster.clock.sleep(pollMs, signal);
  }
}

/** Bytes per minute; null: too soon, or of another process. */
function growthOf(before: Seen, after: Seen): number | null {
  const ms = after.sample.at - before.sample.at;
  if (ms < apartMs || before.restarts !== after.restarts) return null;
  return ((after.sample.memoryBytes - before.sample.memoryBytes) * 60_000) / ms;
}

interface Restarted {
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount?: number }[];
  };
}

const restartsOf = ({ status }: Restarted, container: string): number | undefined =>
  status?.containerStatuses?.find(({ name }) => name === container)?.restartCount;

const measured = (growths: readonly Growth[], before: number, at: number): Measurement[] =>
  growths.map(({ pod, perMinute }) => ({
    name: `growth of the memory of ${pod}`,
    value: perMinute,
    unit: "bytes/min",
    threshold: before + allowance,
    at,
  }));

/** `before`: how fast the healthy target's memory grew, bytes per minute; undefined: it was not measured. */
export function judgeGrowth(
  growths: readonly Growth[],
  before: number | undefined,
  at: number,
): OracleVerdict {
  if (before === undefined)
    return judged("growth", ["the baseline has no growth of memory to compare with"], "");
  const problems = growths.flatMap(({ pod, perMinute }) => {
    if (perMinute === null) return [`there are no two samples of one process of pod ${pod}`];
    return perMinute > before + allowance ? [grows(pod, perMinute)] : [];
  });
  if (growths.length === 0) problems.push("there are no pods to measure");
  return judged("growth", problems, "the memory of no replica grows", measured(growths, before, at));
}

export function growthSymptom(
  growths: readonly Growth[],
  before: number | undefined,
  at: number,
): SymptomVerdict {
  const most = (before ?? Number.POSITIVE_INFINITY) + allowance;
  const signs = growths.flatMap(({ pod, perMinute }) =>
    perMinute !== null && perMinute > most ? [grows(pod, perMinute)] : [],
  );
  const measurements = measured(growths, before ?? 0, at);
  return symptomOf("growth", signs, "the memory of no replica grows", measurements);
}

const grows = (pod: string, perMinute: number): string =>
  `the memory of pod ${pod} grows by ${(perMinute / 2 ** 20).toFixed(1)} MiB a minute`;
