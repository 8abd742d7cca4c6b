import type { Measurement, OracleVerdict } from "@microremed/contracts";
import type { Oracle } from "../oracle.ts";
import { judged, symptomOf } from "../verdict.ts";
import { type WriteReading, writeCount } from "../write-probe.ts";

/** The fault delays by 5 s; a healthy disk takes milliseconds for 64 KiB. */
const slowSeconds = 1;

/** Small synchronous writes to the fault path succeed and are quick in every pod, and the path is still mounted. */
export const disk: Oracle = {
  name: "disk",
  async baseline(round) {
    const seconds = (await round.writes()).flatMap((reading) => reading.seconds);
    return seconds.length === 0 ? {} : { writeSlowestSeconds: Math.max(...seconds) };
  },
  measure: async (round) => judgeDisk(await round.writes(), round.state.at),
  symptom: async (round) => diskSymptom(await round.writes(), round.state.at),
};

const slowest = ({ seconds }: WriteReading): number | null =>
  seconds.length === 0 ? null : Math.max(...seconds);

function measured(readings: readonly WriteReading[], at: number): Measurement[] {
  return readings.map((reading) => ({
    name: `slowest of ${reading.seconds.length} writes in ${reading.pod}`,
    value: slowest(reading),
    unit: "s",
    threshold: slowSeconds,
    at,
  }));
}

export function judgeDisk(readings: readonly WriteReading[], at: number): OracleVerdict {
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
  return judged("disk", problems, "writes are quick", measured(readings, at));
}

export function diskSymptom(readings: readonly WriteReading[], at: number): OracleVerdict {
  const signs = readings.flatMap((reading) => {
    const worst = slowest(reading);
    return worst !== null && worst >= slowSeconds ? [`a write in pod ${reading.pod} took ${worst} s`] : [];
  });
  return symptomOf("disk", signs, "writes are quick", measured(readings, at));
}
