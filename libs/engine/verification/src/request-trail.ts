import type { Fault, RequestsReading, Round } from "@microremed/catalogue";

/** What was counted lately must cover this, cluster time, ms: less is not judged. */
const leastMs = 10_000;
const mostReadings = 4;

/**
 * Readings of the requests while nothing has passed, for a fault whose symptom is that requests fail: where its calls fail and
 * the entry answers, the symptom shows only in what is counted between two checks.
 */
export interface RequestTrail {
  /** From where the next check counts; undefined: it cannot yet, or need not. */
  before(): RequestsReading | undefined;
  /** After a check. */
  note(round: Round): Promise<void>;
}

export function createRequestTrail({ symptom }: Pick<Fault, "symptom">): RequestTrail {
  let readings: readonly RequestsReading[] = [];
  return {
    before: () => readings.findLast(({ at }) => (readings.at(-1)?.at ?? at) - at >= leastMs),
    async note(round) {
      if (symptom !== "requests" || round.context.edges.length === 0) return;
      readings = [...readings, await round.requests()].slice(-mostReadings);
    },
  };
}
