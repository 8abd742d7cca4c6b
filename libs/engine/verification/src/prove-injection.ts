import {
  type Fault,
  type FaultContext,
  type FaultStatus,
  isInconclusive,
  isWhole,
  type RequestsReading,
} from "@microremed/catalogue";
import type { Baseline, InjectionEvidence, OracleVerdict, RequestReading } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { cycleMs } from "./flap-cycle.ts";
import type { JudgedFault } from "./judged-fault.ts";
import { startRound } from "./round.ts";
import { subjectOf } from "./subject-of.ts";

const intervalMs = 2000;
/** Past the deadline a symptom that could not be measured at all gets this much longer: metrics may lag. */
const lateDataMs = 60_000;
/** The oracle whose symptom is counted from the injection on. */
const counted = "requests";

/**
 * Whether the fault was seen to act on the target; if not, why, and the symptom's last check (null: it never got that
 * far).
 */
export type InjectionProof =
  | { readonly status: "proven"; readonly injection: InjectionEvidence }
  | { readonly status: "no-effect"; readonly reason: string; readonly verdict: OracleVerdict | null };

/**
 * Waits until the injector says that the fault acts, and then until its symptom is measured on the target.
 * `timeoutSeconds` of cluster time for each of the two.
 */
export async function proveInjection(
  context: FaultContext,
  judged: JudgedFault,
  baseline: Baseline,
  timeoutSeconds: number,
  requests?: RequestReading,
): Promise<InjectionProof> {
  const { fault } = judged;
  // It begins with a rest, and may show only when it comes again.
  const timeoutMs = timeoutSeconds * 1000 + cycleMs(context);
  const status = await awaitInjected(context, fault, timeoutMs);
  if (!status.injected) {
    return {
      status: "no-effect",
      reason: `${fault.name} was not injected within ${timeoutSeconds} s: ${status.note}`,
      verdict: null,
    };
  }
  const injectedAt = await context.cluster.clock.now();
  const verdict = await awaitSymptom(context, judged, baseline, injectedAt, timeoutMs);
  if (verdict.passed) {
    return {
      status: "proven",
      injection: { injectedAt, expiresAt: status.expiresAt, verdict, ...(requests && { requests }) },
    };
  }
  return {
    status: "no-effect",
    reason: `${fault.name} is injected (${status.note}), but after ${timeoutSeconds} s its symptom does not show: ${verdict.reason}`,
    verdict,
  };
}

async function awaitInjected(context: FaultContext, fault: Fault, timeoutMs: number): Promise<FaultStatus> {
  const { clock } = context.cluster;
  const startedAt = await clock.now();
  for (;;) {
    context.signal?.throwIfAborted();
    const status = await fault.status(context);
    if (status.injected || (await clock.now()) - startedAt >= timeoutMs) return status;
    await clock.sleep(intervalMs / 2, context.signal);
  }
}

/** The proof that the fault acts: it passes when the symptom shows. */
async function awaitSymptom(
  context: FaultContext,
  judged: JudgedFault,
  baseline: Baseline,
  since: number,
  timeoutMs: number,
): Promise<OracleVerdict> {
  const { fault, symptom } = judged;
  if (!symptom.symptom)
    throw new AppError("internal", `the oracle ${symptom.name} of ${fault.name} has no symptom()`);
  let requestsBefore: RequestsReading | undefined;
  for (;;) {
    context.signal?.throwIfAborted();
    const round = await startRound({
      ...context,
      ...subjectOf(fault, context),
      baseline: baseline.values,
      since,
      edges: baseline.edges ?? [],
      ...(baseline.load && { load: baseline.load }),
      requestsBefore,
      resourcesMayDiffer: false,
    });
    if (symptom.name === counted) requestsBefore = countedFrom(requestsBefore, await round.requests());
    const { shows, measurements, ...found } = await symptom.symptom(round);
    const verdict: OracleVerdict = { ...found, passed: shows, measurements: [...measurements] };
    const waited = (await context.cluster.clock.now()) - since;
    if (shows || waited >= timeoutMs + (isInconclusive(verdict) ? lateDataMs : 0)) return verdict;
    await context.cluster.clock.sleep(intervalMs, context.signal);
  }
}

/** From where requests are counted: a program that was silent at first, as new ones are, has no known beginning. */
function countedFrom(before: RequestsReading | undefined, now: RequestsReading): RequestsReading {
  return before && isWhole(before, now) ? before : now;
}
