import {
  defineOracle,
  judged,
  lossPlan,
  type Measurement,
  type OracleVerdict,
  type PingReading,
  pingCount,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";

const { mostBad: mostLost } = lossPlan;
/** Of the echoes: a clean network loses as many with probability below 1e-6. */
const symptomShare = 0.2;

/**
 * The echoes of every pod come back: the request goes in, the reply is the pod's own egress. Refuses: a lucky round,
 * one healthy replica beside a lossy one, a pod that cannot be asked.
 */
export default defineOracle({
  name: "loss",
  description: "the echoes of every pod come back",
  cost: 60,
  measure: async (round) => judgeLoss(await round.pings(), round.state.at),
  symptom: async (round) => lossSymptom(await round.pings(), round.state.at),
});

/** Null when the ping did not report, or reported on fewer echoes than were asked for. */
function lostOf({ sent, received }: PingReading): number | null {
  return sent === null || received === null || sent < pingCount ? null : sent - received;
}

function measured(readings: readonly PingReading[], threshold: number, at: number): Measurement[] {
  return readings.map((reading) => ({
    name: `echoes of ${reading.pod} lost of ${pingCount}`,
    value: lostOf(reading),
    unit: "packets",
    threshold,
    at,
  }));
}

export function judgeLoss(readings: readonly PingReading[], at: number): OracleVerdict {
  const problems = readings.flatMap((reading) => {
    const lost = lostOf(reading);
    if (lost === null) return [`the echoes of pod ${reading.pod} could not be counted`];
    return lost > mostLost ? [`pod ${reading.pod} lost ${lost} of ${pingCount} echoes`] : [];
  });
  if (readings.length === 0) problems.push("there are no pods to ping");
  return judged("loss", problems, "echoes come back", measured(readings, mostLost, at));
}

export function lossSymptom(readings: readonly PingReading[], at: number): SymptomVerdict {
  const least = pingCount * symptomShare;
  const signs = readings.flatMap((reading) => {
    const lost = lostOf(reading);
    return lost !== null && lost >= least ? [`pod ${reading.pod} lost ${lost} of ${pingCount} echoes`] : [];
  });
  return symptomOf("loss", signs, "no pod loses echoes", measured(readings, least, at));
}
