import {
  defineOracle,
  judged,
  type Measurement,
  type OracleVerdict,
  type PingReading,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

const rttKey = "pingRttMs";
/** The fault adds 1000 ms; a healthy round trip varies by a few. */
const allowanceMs = 100;
/** Half of what the fault adds, ms: a network that merely has a bad moment is no symptom. */
const symptomMs = 500;

/** The mean round trip to every pod is what it was. */
export default defineOracle({
  name: "latency",
  description: "the round trip to every pod takes as long as before",
  cost: 55,
  async baseline(round) {
    const rtts = (await round.pings()).flatMap(({ rttMs }) => rttMs ?? []);
    return rtts.length === 0 ? {} : { [rttKey]: Math.max(...rtts) };
  },
  measure: async (round) => judgeLatency(await round.pings(), round.context.baseline[rttKey], round.state.at),
  symptom: async (round) =>
    latencySymptom(await round.pings(), round.context.baseline[rttKey], round.state.at),
});

function measured(readings: readonly PingReading[], threshold: number | null, at: number): Measurement[] {
  return readings.map(({ pod, rttMs }) => ({
    name: `mean round trip to ${pod}`,
    value: rttMs,
    unit: "ms",
    threshold,
    at,
  }));
}

export function judgeLatency(
  readings: readonly PingReading[],
  before: number | undefined,
  at: number,
): OracleVerdict {
  if (before === undefined) return judged("latency", ["the baseline has no round trip to compare with"], "");
  const most = before + allowanceMs;
  const problems = readings.flatMap(({ pod, rttMs }) => {
    if (rttMs === null) return [`no echo of pod ${pod} came back`];
    return rttMs > most ? [`pod ${pod} answers after ${rttMs} ms, more than ${most} ms`] : [];
  });
  if (readings.length === 0) problems.push("there are no pods to ping");
  return judged("latency", problems, "answers are as quick as before", measured(readings, most, at));
}

export function latencySymptom(
  readings: readonly PingReading[],
  before: number | undefined,
  at: number,
): SymptomVerdict {
  const least = before === undefined ? null : before + symptomMs;
  const signs = readings.flatMap(({ pod, rttMs }) =>
    least !== null && rttMs !== null && rttMs > least
      ? [`pod ${pod} answers after ${rttMs} ms, ${before} ms before`]
      : [],
  );
  return symptomOf("latency", signs, "answers are as quick as before", measured(readings, least, at));
}
