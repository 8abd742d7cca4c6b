import type { Measurement, OracleVerdict } from "@microremed/contracts";
import type { Oracle } from "../oracle.ts";
import { type PingReading, pingCount } from "../ping.ts";
import { judged, symptomOf } from "../verdict.ts";

/**
 * At most 2 of 40 echoes of each pod may be missing. Under 50 % loss that happens with probability
 * (1 + 40 + 780) / 2^40 < 1e-9; under an ambient loss of 1 % it fails one time in 130.
 */
const mostLost = 2;
const symptomShare = 0.2;

/** The echoes of every pod come back: the request goes in, the reply is the pod's own egress. */
export const loss: Oracle = {
  name: "loss",
  measure: async (round) => judgeLoss(await round.pings(), round.state.at),
  symptom: async (round) => lossSymptom(await round.pings(), round.state.at),
};

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

export function lossSymptom(readings: readonly PingReading[], at: number): OracleVerdict {
  const least = pingCount * symptomShare;
  const signs = readings.flatMap((reading) => {
    const lost = lostOf(reading);
    return lost !== null && lost >= least ? [`pod ${reading.pod} lost ${lost} of ${pingCount} echoes`] : [];
  });
  return symptomOf("loss", signs, "no pod loses echoes", measured(readings, least, at));
}
