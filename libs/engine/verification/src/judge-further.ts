import type { Round } from "@microremed/catalogue";
import type { OracleVerdict } from "@microremed/contracts";
import type { Mark } from "@microremed/inventory";
import type { ProvenPart } from "./incident-part.ts";
import { judgeRound, roundContext } from "./judge-round.ts";
import { startRound } from "./round.ts";

/** One check of a further fault of an incident. */
export interface FurtherRound {
  readonly part: ProvenPart;
  readonly round: Round;
  /** Their reasons name the target: several faults have oracles of the same name. */
  readonly verdicts: readonly OracleVerdict[];
}

/** Checks the further faults of an incident; samples count from `since` on, cluster time, ms. */
export async function judgeFurther(
  parts: readonly ProvenPart[],
  mark: Mark,
  since: number,
): Promise<FurtherRound[]> {
  const rounds: FurtherRound[] = [];
  for (const part of parts) {
    const { context, judged, baseline } = part;
    // Requests are of the whole arena: they are counted for the first fault.
    const compared = { ...roundContext(context, judged.fault, baseline, undefined, since), edges: [] };
    const round = await startRound(compared, mark);
    const verdicts = await judgeRound(round, judged);
    const named = verdicts.map((one) => ({ ...one, reason: `${context.target}: ${one.reason}` }));
    rounds.push({ part, round, verdicts: named });
  }
  return rounds;
}
