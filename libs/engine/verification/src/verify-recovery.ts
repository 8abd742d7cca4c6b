import {
  type Fault,
  type FaultContext,
  isInconclusive,
  type RequestsReading,
  type Round,
} from "@microremed/catalogue";
import type { OracleVerdict, Verdict } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Evidence } from "./evidence.ts";
import { cycleMs } from "./flap-cycle.ts";
import { holdMs, shortestHoldMs } from "./hold-window.ts";
import type { IncidentPart, ProvenPart } from "./incident-part.ts";
import { judgeFurther } from "./judge-further.ts";
import { judgeRound, roundContext } from "./judge-round.ts";
import type { JudgedFault } from "./judged-fault.ts";
import { createKeepArmed, type KeepArmed, rearm } from "./keep-armed.ts";
import { keepMark } from "./kept-mark.ts";
import { refuseExpired } from "./refuse-expired.ts";
import { createRequestTrail } from "./request-trail.ts";
import { startRound } from "./round.ts";
import { restingSince, settleMs } from "./settling.ts";
import { soakRecovery } from "./soak-recovery.ts";
import { hasStuckPod, instancesOf, isBackingOff, isStarting, shapeOf } from "./target-state.ts";
import { createVerdictBook } from "./verdict-book.ts";
import type { Verification } from "./verification.types.ts";

/** Past the deadline, a pass that came in time may still be confirmed for this long, and for what its hold is longer. */
const confirmMs = 90_000;
const pollMs = 5000;

/** A check in which all oracles passed, from which the hold window runs. */
interface Pass {
  readonly at: number;
  readonly instances: string;
  /** Requests are counted from here; undefined: the baseline knows none. */
  readonly requests: RequestsReading | undefined;
}

/** What the target came to. `pass`: the check from which on everything was in order; undefined: it was not. */
interface Found {
  readonly at: number;
  readonly pass: Pass | undefined;
  readonly reason: string;
}

/**
 * Watches the target, and those of the incident's other faults, until every oracle of each fault has passed twice, at least 20 s apart, with samples of its own
 * each time, without a restart between and with the arena's requests counted over all of it; then, if that is asked for,
 * waits for `soakSeconds` and checks once more. Ends early with recovered = false when the target has been at rest for
 * 60 s and the symptom is still there, unless a pod is starting or a container waits for the kubelet to start it again.
 * A fault that comes and goes must stay away for all of one cycle longer, checked every 5 s. Times are cluster time. The published rules are evaluated on the way. `assertHeld` is awaited before a fault is put
 * back on new pods, and throws when the arena is another's. Throws `fault-expired` when the fault may have ended by
 * itself, and `arena-lost` when the arena is not the one in which it was injected.
 */
export async function verifyRecovery(
  context: FaultContext,
  judged: JudgedFault,
  evidence: Evidence,
  timeoutSeconds: number,
  assertHeld: () => Promise<void> = async () => {},
  others: readonly IncidentPart[] = [],
): Promise<Verdict> {
  const { fault } = judged;
  const kept = await keepMark(context, fault.name, evidence.arena?.fence);
  const further = provenParts(others, evidence);
  if (kept.mark.isRearming)
    for (const part of [{ context, judged, number: 0, ...evidence }, ...further])
      await rearm(part, kept, assertHeld);
  const startedAt = await context.cluster.clock.now();
  const book = createVerdictBook(context, fault, evidence, startedAt);
  const common = { context, judged, further, evidence, kept, book, startedAt, timeoutSeconds, assertHeld };
  const { at, pass, reason } = await awaitRecovery(common);
  if (!pass) return book.close(at, null, reason);
  const soakSeconds = evidence.soakSeconds ?? 0;
  if (soakSeconds === 0) return book.close(at, pass.at, reason);
  const why = await soakRecovery(common, soakSeconds);
  const endedAt = await context.cluster.clock.now();
  const held = `${reason}; still recovered after ${soakSeconds} s more`;
  if (why === undefined) return book.close(endedAt, pass.at, held);
  const verdict = await book.close(endedAt, null, `relapsed within ${soakSeconds} s; ${why}`);
  return { ...verdict, relapsedAfterSeconds: Math.round((endedAt - pass.at) / 1000) };
}

/** Throws where an incident has other faults than were proven. */
function provenParts(parts: readonly IncidentPart[], { injection }: Evidence): ProvenPart[] {
  return parts.map((part, i) => {
    const proof = injection.further?.[i];
    if (proof) return { ...part, baseline: proof.baseline, injection: proof };
    throw terminal(
      "internal",
      `${part.judged.fault.name} on ${part.context.target} has no proof of injection`,
    );
  });
}

async function awaitRecovery(verification: Verification): Promise<Found> {
  const { context, judged, further, evidence, kept, book, startedAt, timeoutSeconds, assertHeld } =
    verification;
  const { fault } = judged;
  const { clock } = context.cluster;
  const deadline = startedAt + timeoutSeconds * 1000;
  const parts: readonly ProvenPart[] = [{ context, judged, number: 0, ...evidence }, ...further];
  const keepers = parts.map((part) => createKeepArmed(part, evidence.persistence, kept, assertHeld));
  const cycle = Math.max(...parts.map((part) => cycleMs(part.context)));
  const trail = createRequestTrail(fault);
  let pass: Pass | undefined;
  let lostHolds = 0;
  let resting: (Resting | undefined)[] = [];
  for (;;) {
    context.signal?.throwIfAborted();
    const round = await startRound(
      roundContext(
        context,
        fault,
        evidence.baseline,
        pass ? pass.requests : trail.before(),
        pass?.at ?? startedAt,
      ),
      kept.mark,
    );
    const { at } = round.state;
    const own = await judgeRound(round, judged);
    await trail.note(round);
    const rounds = await judgeFurther(further, kept.mark, pass?.at ?? startedAt);
    const verdicts = [...own, ...rounds.flatMap((one) => one.verdicts)];
    const failed = verdicts.filter(({ passed }) => !passed);
    const seen = [round, ...rounds.map((one) => one.round)];
    for (const [i, part] of pass ? [] : parts.entries())
      await refuseExpired(part, kept, seen[i] ?? round, failed.length === 0);
    await book.note(round, own, rounds);
    const hold = holdMs(lostHolds) + cycle;
    const lastAt = deadline + confirmMs + hold - shortestHoldMs;
    if (failed.length === 0) {
      const instances = seen.map(({ state }) => instancesOf(state)).join("; ");
      if (at < deadline && (await anyPutBack(keepers, instances))) {
        pass = undefined;
        continue;
      }
      const held = pass !== undefined && pass.instances === instances;
      if (held && pass && at - pass.at >= hold) {
        const seconds = Math.round((at - pass.at) / 1000);
        return { at, pass, reason: `${fault.title}: ${passedTwice(verdicts, seconds)}` };
      }
      if (at >= lastAt)
        return {
          at,
          pass: undefined,
          reason: `every oracle passed, but not twice, ${hold / 1000} s apart, with the same pods of the target`,
        };
      if (!held) pass = await passAt(round, instances);
      resting = [];
      // What comes and goes is checked all the way, not only at the ends.
      await clock.sleep(cycle > 0 ? pollMs : hold, context.signal);
      continue;
    }
    const reason = failed.map((verdict) => `${verdict.oracle}: ${verdict.reason}`).join("; ");
    // Without fresh data a pass is neither confirmed nor refuted.
    if (!failed.every(isInconclusive)) {
      if (pass && failed.some(({ oracle }) => oracle === "requests" || oracle === "reach")) lostHolds++;
      pass = undefined;
    }
    if (at >= (pass ? lastAt : deadline))
      return { at, pass: undefined, reason: `not recovered within ${timeoutSeconds} s; ${reason}` };
    resting = await Promise.all([
      restAfter(resting[0], round, own, context, fault),
      ...rounds.map(({ part, ...one }, i) =>
        restAfter(resting[i + 1], one.round, [...one.verdicts, ...own], part.context, part.judged.fault),
      ),
    ]);
    if (resting.some((one) => one && at - one.since >= settleMs + one.lingersMs)) {
      const settled = `nothing has changed for ${settleMs / 1000} s and the failure is still there`;
      return { at, pass: undefined, reason: `${settled}; ${reason}` };
    }
    await clock.sleep(pollMs, context.signal);
  }
}

/** What was exercised, where an oracle says so. */
function passedTwice(verdicts: readonly OracleVerdict[], seconds: number): string {
  const reach = verdicts.find(({ oracle }) => oracle === "reach");
  const exercised = reach ? `; ${reach.reason}` : "";
  return `every oracle passed, and again ${seconds} s later${exercised}`;
}

/** All are asked, for each may have to be put back. */
async function anyPutBack(keepers: readonly KeepArmed[], instances: string): Promise<boolean> {
  let isPutBack = false;
  for (const keepArmed of keepers) isPutBack = (await keepArmed(instances)) || isPutBack;
  return isPutBack;
}

interface Resting {
  readonly shape: string;
  readonly since: number;
  /** What was wrong is put right, and may still have its effect for so long. */
  readonly lingersMs: number;
}

async function restAfter(
  resting: Resting | undefined,
  { state }: Round,
  verdicts: readonly OracleVerdict[],
  context: FaultContext,
  fault: Fault,
): Promise<Resting | undefined> {
  const symptom = verdicts.find(({ oracle }) => oracle === fault.symptom);
  const symptomShows = symptom !== undefined && !symptom.passed && !isInconclusive(symptom);
  const isReady = verdicts.some(({ oracle, passed }) => oracle === "ready" && passed);
  const isWhole = isReady || hasStuckPod(state);
  const isAsked = symptomShows && (!isWhole || fault.lingersSeconds !== undefined);
  const isPresent = isAsked && (await fault.status(context)).present;
  const rest = restingSince(resting, {
    at: state.at,
    shape: shapeOf(state),
    symptomShows,
    comesBack: isBackingOff(state) || isStarting(state),
    atRest: symptomShows && (isWhole || isPresent),
  });
  return rest && { ...rest, lingersMs: isPresent ? 0 : 1000 * (fault.lingersSeconds ?? 0) };
}

async function passAt(round: Round, instances: string): Promise<Pass> {
  const requests = round.context.edges.length === 0 ? undefined : await round.requests();
  return { at: round.state.at, instances, requests };
}
