import {
  type Fault,
  type FaultContext,
  isInconclusive,
  type OracleContext,
  type RequestsReading,
  type Round,
} from "@microremed/catalogue";
import type { Baseline, InjectionEvidence, OracleVerdict, Verdict } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Evidence } from "./evidence.ts";
import type { JudgedFault } from "./judged-fault.ts";
import { createKeepArmed } from "./keep-armed.ts";
import { startRound } from "./round.ts";
import { restingSince, settleMs } from "./settling.ts";
import { subjectOf } from "./subject-of.ts";
import { instancesOf, isBackingOff, isStarting, shapeOf } from "./target-state.ts";
import { createVerdictBook } from "./verdict-book.ts";

/** Cluster time, ms, between the first pass and the one that confirms it. */
const holdWindowMs = 20_000;
/** Past the deadline, a pass that came in time may still be confirmed for this long. */
const confirmMs = 90_000;
const pollMs = 5000;

/** A check in which all oracles passed, from which the hold window runs. */
interface Pass {
  readonly at: number;
  readonly instances: string;
  /** Requests are counted from here; undefined: the baseline knows none. */
  readonly requests: RequestsReading | undefined;
}

/**
 * Watches the target until every oracle of the fault has passed twice, at least 20 s apart, with samples of its own
 * each time, without a restart between and with the arena's requests counted over all of it. Ends early with
 * recovered = false when the target has been at rest for 60 s and the symptom is still there, unless a pod is
 * starting or a container waits for the kubelet to start it again. Times are cluster time. The published rules are evaluated on the way.
 * `assertHeld` is awaited before a fault is put back on new pods, and throws when the arena is another's.
 * Throws `fault-expired` when the fault has ended by itself, because then it is not known who repaired it.
 */
export async function verifyRecovery(
  context: FaultContext,
  judged: JudgedFault,
  evidence: Evidence,
  timeoutSeconds: number,
  assertHeld: () => Promise<void> = async () => {},
): Promise<Verdict> {
  const { fault } = judged;
  const { clock } = context.cluster;
  const startedAt = await clock.now();
  const deadline = startedAt + timeoutSeconds * 1000;
  const book = createVerdictBook(context, fault, evidence, startedAt);
  const keepArmed = createKeepArmed(context, judged, evidence, assertHeld);
  let pass: Pass | undefined;
  let resting: { shape: string; since: number } | undefined;
  for (;;) {
    context.signal?.throwIfAborted();
    const round = await startRound(roundContext(context, fault, evidence.baseline, pass, startedAt));
    const { at } = round.state;
    if (!pass) await refuseExpired(context, fault, evidence.injection, at);
    const verdicts = await judge(round, judged);
    await book.note(round, verdicts);
    const failed = verdicts.filter(({ passed }) => !passed);
    if (failed.length === 0) {
      const instances = instancesOf(round.state);
      if (at < deadline && (await keepArmed(instances))) {
        pass = undefined;
        continue;
      }
      const held = pass !== undefined && pass.instances === instances;
      if (held && pass && at - pass.at >= holdWindowMs) {
        const seconds = Math.round((at - pass.at) / 1000);
        const reason = `${fault.title}: every oracle passed and passed again after ${seconds} s`;
        return book.close(at, pass.at, reason);
      }
      if (at >= deadline + confirmMs) {
        return book.close(at, null, `passes, but does not stay the same for ${holdWindowMs / 1000} s`);
      }
      if (!held) pass = await passAt(round, instances);
      resting = undefined;
      await clock.sleep(holdWindowMs, context.signal);
      continue;
    }
    const reason = failed.map((verdict) => `${verdict.oracle}: ${verdict.reason}`).join("; ");
    // Without fresh data a pass is neither confirmed nor refuted.
    if (!failed.every(isInconclusive)) pass = undefined;
    if (at >= deadline + (pass ? confirmMs : 0)) {
      return book.close(at, null, `not recovered within ${timeoutSeconds} s; ${reason}`);
    }
    const symptom = verdicts.find(({ oracle }) => oracle === fault.symptom);
    const symptomShows = symptom !== undefined && !symptom.passed && !isInconclusive(symptom);
    resting = restingSince(resting, {
      at,
      shape: shapeOf(round.state),
      symptomShows,
      comesBack: isBackingOff(round.state) || isStarting(round.state),
      atRest:
        symptomShows &&
        (verdicts.some(({ oracle, passed }) => oracle === "ready" && passed) ||
          (await fault.status(context)).present),
    });
    if (resting && at - resting.since >= settleMs) {
      const settled = `nothing has changed for ${settleMs / 1000} s and the failure is still there`;
      return book.close(at, null, `${settled}; ${reason}`);
    }
    await clock.sleep(pollMs, context.signal);
  }
}

function roundContext(
  context: FaultContext,
  fault: Fault,
  { values, edges = [] }: Baseline,
  pass: Pass | undefined,
  startedAt: number,
): OracleContext {
  return {
    ...context,
    ...subjectOf(fault, context),
    baseline: values,
    edges,
    requestsBefore: pass?.requests,
    since: pass?.at ?? startedAt,
    limitsMayDiffer: fault.limitsMayDiffer === true,
  };
}

async function passAt(round: Round, instances: string): Promise<Pass> {
  const requests = round.context.edges.length === 0 ? undefined : await round.requests();
  return { at: round.state.at, instances, requests };
}

/** Readiness and the symptom always; the others, in the order of their cost, until one fails. */
async function judge(round: Round, { fault, oracles }: JudgedFault): Promise<OracleVerdict[]> {
  const verdicts: OracleVerdict[] = [];
  const isFirst = (name: string): boolean => name === "ready" || name === fault.symptom;
  for (const oracle of oracles.filter(({ name }) => isFirst(name)))
    verdicts.push(await oracle.measure(round));
  for (const oracle of oracles.filter(({ name }) => !isFirst(name))) {
    if (verdicts.some(({ passed }) => !passed)) break;
    verdicts.push(await oracle.measure(round));
  }
  return verdicts;
}

async function refuseExpired(
  context: FaultContext,
  fault: Fault,
  { expiresAt }: InjectionEvidence,
  at: number,
): Promise<void> {
  if (expiresAt === null || at < expiresAt) return;
  const status = await fault.status(context);
  if (!status.present || (status.expiresAt !== null && at < status.expiresAt)) return;
  throw terminal(
    "fault-expired",
    `${fault.name} on ${context.target} ended by itself ${Math.round((at - expiresAt) / 1000)} s ago; a verdict would not show who repaired it`,
    { expiresAt },
  );
}
