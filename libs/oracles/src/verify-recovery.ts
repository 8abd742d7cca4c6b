import type { Baseline, InjectionEvidence, OracleVerdict, Verdict } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Fault, FaultContext } from "@microremed/faults";
import { oraclesOf } from "./measure-baseline.ts";
import { isInconclusive } from "./oracle.ts";
import type { OracleContext } from "./oracle-context.ts";
import { type Round, startRound } from "./round.ts";
import { restingSince, settleMs } from "./settling.ts";
import { instancesOf, isBackingOff, shapeOf } from "./target-state.ts";

/** Cluster time, ms, between the first pass and the one that confirms it. */
const holdWindowMs = 20_000;
/** Past the deadline, a pass that came in time may still be confirmed for this long. */
const confirmMs = 90_000;
const pollMs = 5000;

interface Pass {
  readonly at: number;
  readonly instances: string;
}

/**
 * Watches the target until every oracle of the fault has passed twice, at least 20 s apart, with samples of its own
 * each time and without a restart between. Ends early with recovered = false when the target has been at rest for
 * 60 s and the symptom is still there, unless a container waits for the kubelet to start it again. Times are cluster
 * time.
 * Throws `fault-expired` when the fault has ended by itself, for then nobody can tell who repaired it.
 */
export async function verifyRecovery(
  context: FaultContext,
  fault: Fault,
  baseline: Baseline,
  injection: InjectionEvidence,
  timeoutSeconds: number,
): Promise<Verdict> {
  const { clock } = context.cluster;
  await using _hold = await clock.hold();
  const startedAt = await clock.now();
  const deadline = startedAt + timeoutSeconds * 1000;
  let pass: Pass | undefined;
  let resting: { shape: string; since: number } | undefined;
  const end = (at: number, recovered: boolean, reason: string, verdicts: OracleVerdict[]): Verdict => ({
    recovered,
    reason,
    oracles: verdicts,
    clusterSeconds: Math.round((at - startedAt) / 100) / 10,
    microremed: { recovered, reason, measurements: [] },
    observation: verdicts.map((verdict) => verdict.reason).join("; "),
    disruption: { injection: null, remedy: null, mitigatedSeconds: null, recoveredSeconds: null },
  });
  for (;;) {
    context.signal?.throwIfAborted();
    const round = await startRound(roundContext(context, fault, baseline, pass?.at ?? startedAt));
    const { at } = round.state;
    if (!pass) await refuseExpired(context, fault, injection, at);
    const verdicts = await judge(round, fault);
    const failed = verdicts.filter(({ passed }) => !passed);
    if (failed.length === 0) {
      const instances = instancesOf(round.state);
      const held = pass !== undefined && pass.instances === instances;
      if (held && pass && at - pass.at >= holdWindowMs) {
        return end(
          at,
          true,
          `${fault.title}: every oracle passed and passed again after ${Math.round((at - pass.at) / 1000)} s`,
          verdicts,
        );
      }
      if (at >= deadline + confirmMs) {
        return end(at, false, `passes, but does not stay the same for ${holdWindowMs / 1000} s`, verdicts);
      }
      if (!held) pass = { at, instances };
      resting = undefined;
      await clock.sleep(holdWindowMs, context.signal);
      continue;
    }
    const reason = failed.map((verdict) => `${verdict.oracle}: ${verdict.reason}`).join("; ");
    // Without fresh data a pass is neither confirmed nor refuted.
    if (!failed.every(isInconclusive)) pass = undefined;
    if (at >= deadline + (pass ? confirmMs : 0)) {
      return end(at, false, `not recovered within ${timeoutSeconds} s; ${reason}`, verdicts);
    }
    const symptom = verdicts.find(({ oracle }) => oracle === fault.symptom);
    const symptomShows = symptom !== undefined && !symptom.passed && !isInconclusive(symptom);
    resting = restingSince(resting, {
      at,
      shape: shapeOf(round.state),
      symptomShows,
      backsOff: isBackingOff(round.state),
      atRest: symptomShows && (verdicts[0]?.passed === true || (await fault.status(context)).present),
    });
    if (resting && at - resting.since >= settleMs) {
      return end(
        at,
        false,
        `nothing has changed for ${settleMs / 1000} s and the failure is still there; ${reason}`,
        verdicts,
      );
    }
    await clock.sleep(pollMs, context.signal);
  }
}

function roundContext(context: FaultContext, fault: Fault, baseline: Baseline, since: number): OracleContext {
  const limitsMayDiffer = fault.recovery.includes("config");
  return { ...context, baseline: baseline.values, since, limitsMayDiffer };
}

/** Readiness and the symptom always; the others, in the order of their cost, until one fails. */
async function judge(round: Round, fault: Fault): Promise<OracleVerdict[]> {
  const verdicts: OracleVerdict[] = [];
  const isFirst = (name: string): boolean => name === "ready" || name === fault.symptom;
  const all = oraclesOf(fault);
  for (const oracle of all.filter(({ name }) => isFirst(name))) verdicts.push(await oracle.measure(round));
  for (const oracle of all.filter(({ name }) => !isFirst(name))) {
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
  if (!status.present) return;
  throw terminal(
    "fault-expired",
    `${fault.name} on ${context.target} ended by itself ${Math.round((at - expiresAt) / 1000)} s ago; the verdict would credit nobody's repair`,
    { expiresAt },
  );
}
