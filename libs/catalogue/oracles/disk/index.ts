import {
  defineOracle,
  judged,
  type Measurement,
  type OracleVerdict,
  type SymptomVerdict,
  symptomOf,
  type WriteReading,
  writeCount,
} from "@microremed/catalogue";

const slowestKey = "writeSlowestSeconds";
/** The fault delays by 5 s; a healthy disk takes milliseconds for 1 MiB, and a busy one a few hundred. */
const allowanceSeconds = 0.5;

/**
 * Synchronous writes to the fault path succeed and are as quick as before in every pod, and the path is still mounted.
 * Refuses: a removed mount, a read-only or full disk, a missing directory, a write that never ends, one slow replica.
 */
export default defineOracle({
  name: "disk",
  description: "writes to every pod's data mount succeed and are as quick as before",
  cost: 70,
  async baseline(round) {
    const seconds = (await round.writes()).flatMap((reading) => reading.seconds);
    return seconds.length === 0 ? {} : { [slowestKey]: Math.max(...seconds) };
  },
  measure: async (round) =>
    judgeDisk(await round.writes(), round.context.baseline[slowestKey], round.state.at),
  symptom: async (round) =>
    diskSymptom(await round.writes(), round.context.baseline[slowestKey], round.state.at),
});

const slowest = ({ seconds }: WriteReading): number | null =>
  seconds.length === 0 ? null : Math.max(...seconds);

function measured(readings: readonly WriteReading[], threshold: number, at: number): Measurement[] {
  return readings.map((reading) => ({
    name: `slowest of ${reading.seconds.length} writes in ${reading.pod}`,
    value: slowest(reading),
    unit: "s",
    threshold,
    at,
  }));
}

export function judgeDisk(
  readings: readonly WriteReading[],
  before: number | undefined,
  at: number,
): OracleVerdict {
  if (before === undefined) return judged("disk", ["the baseline has no write time to compare with"], "");
  const slowSeconds = before + allowanceSeconds;
  const problems = readings.flatMap((reading) => {
    const { pod, mounted, exitCode, error, seconds } = reading;
    if (!mounted) return [`pod ${pod} has nothing mounted at the fault path any more`];
    if (exitCode !== 0)
      return [`writing in pod ${pod} failed: ${error.slice(-300) || `exit code ${exitCode}`}`];
    const worst = slowest(reading);
    if (worst !== null && worst >= slowSeconds) return [`a write in pod ${pod} took ${worst} s`];
    if (seconds.length < writeCount)
      return [`only ${seconds.length} of ${writeCount} writes ended in pod ${pod}`];
    return [];
  });
  if (readings.length === 0) problems.push("there are no pods to write in");
  return judged("disk", problems, "writes are quick", measured(readings, slowSeconds, at));
}

export function diskSymptom(
  readings: readonly WriteReading[],
  before: number | undefined,
  at: number,
): SymptomVerdict {
  const slowSeconds = before === undefined ? Number.POSITIVE_INFINITY : before + allowanceSeconds;
  const signs = readings.flatMap((reading) => {
    const worst = slowest(reading);
    return worst !== null && worst >= slowSeconds ? [`a write in pod ${reading.pod} took ${worst} s`] : [];
  });
  return symptomOf("disk", signs, "writes are quick", measured(readings, slowSeconds, at));
}
