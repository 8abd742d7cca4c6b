import { type FaultContext, isInconclusive, type RequestsReading } from "@microremed/catalogue";
import type { Baseline } from "@microremed/contracts";
import { roundContext } from "./judge-round.ts";
import type { JudgedFault } from "./judged-fault.ts";
import { startRound } from "./round.ts";
import { waitForBaseline } from "./wait-for-baseline.ts";

/** Cluster time over which requests must be as they were, ms. */
const countMs = 15_000;

/**
 * Waits until the target measures as it did before the fault: every oracle that judges the fault passes against the
 * recorded baseline, on samples of its own. Throws `deadline-exceeded` that says what is still different after 180 s
 * and eight checks.
 */
export async function awaitBaseline(
  context: FaultContext,
  judged: JudgedFault,
  baseline: Baseline,
): Promise<void> {
  const { cluster, target } = context;
  let since = await cluster.clock.now();
  let requestsBefore: RequestsReading | undefined;
  let last = "";
  const { fault, oracles } = judged;
  const check = async (): Promise<true | undefined> => {
    const compared = roundContext(context, fault, baseline, requestsBefore, since);
    const round = await startRound({ ...compared, resourcesMayDiffer: false });
    for (const oracle of oracles) {
      const verdict = await oracle.measure(round);
      if (verdict.passed) continue;
      last = `${verdict.oracle}: ${verdict.reason}`;
      // What was wrong until now must not count against what comes. Counts of too short a time say nothing: they go on.
      if (verdict.oracle === "requests" && !isInconclusive(verdict)) requestsBefore = undefined;
      return undefined;
    }
    if (compared.edges.length === 0) return true;
    if (requestsBefore && round.state.at - requestsBefore.at >= countMs) return true;
    last = "requests are being counted";
    requestsBefore ??= await round.requests();
    since = Math.max(since, requestsBefore.at);
    return undefined;
  };
  await waitForBaseline(context, `${target} to measure as before the failure`, check, () => last);
}
