import { type Budgets, type EpisodeRecord, type Stage, stageOut } from "@microremed/contracts";
import { budgetsFor } from "@microremed/llm/policy-needs";
import { timeoutsOf } from "./limits-of.ts";
import type { EpisodePlan } from "./plan.ts";
import { watchOf } from "./watch.ts";

/** A stage may be delivered, retried and queued: it counts as lost after so many times its own deadline... */
const margin = 3;
/** ... and so much for its way through the queues, seconds. */
const queueSeconds = 300;
/** The baseline is measured before the injection. */
const baselineSeconds = 300;
/** What one noise may take until it is as it is to be, seconds. */
const noiseSeconds = 300;
/** What setting a load may take: it is set for the baseline, and again from then on, seconds. */
const workloadSeconds = 60;
/** What one injection may take where the problem does not say it, seconds. */
const longInjectionSeconds = 300;
/** A stage that is out for so long is checked (see the scheduler), and again each time this time has doubled, ms. */
const firstCheckMs = 60_000;

/** Wall clock, ms: from when on the stage that is out counts as lost. `undefined`: none is out. */
export function deadlineOf(record: EpisodeRecord, plan: EpisodePlan): number | undefined {
  const stage = stageOut[record.state];
  const startedAt = countedFrom(record);
  if (stage === undefined || startedAt === undefined) return undefined;
  return (
    startedAt +
    ((secondsOf[stage](limitsOf(record, plan)) +
      furtherSeconds(record, stage) +
      (stage === "inject" && plan.task.watch ? watchOf(record, plan).windowSeconds : 0)) *
      margin +
      queueSeconds) *
      1000
  );
}

/** How often a stage that has been out for so long, ms, has been due for a check. */
export function checksAfter(outMs: number): number {
  return outMs < firstCheckMs ? 0 : Math.floor(Math.log2(outMs / firstCheckMs)) + 1;
}

/** Wall clock, ms: when the stage that is out is checked next. `undefined`: none is out. */
export function nextCheck(record: EpisodeRecord, plan: EpisodePlan, now: number): number | undefined {
  const deadline = deadlineOf(record, plan);
  const startedAt = countedFrom(record);
  if (deadline === undefined || startedAt === undefined) return undefined;
  return Math.min(deadline, startedAt + firstCheckMs * 2 ** checksAfter(now - startedAt));
}

/** Wall clock, ms: from when on the stage that is out could be worked on. */
function countedFrom({ timings }: EpisodeRecord): number | undefined {
  const timing = timings.at(-1);
  return timing?.waitedUntil ?? timing?.startedAt;
}

/**
 * Of an incident's noises, of what passes until the question, of its other faults, each of which is waited for and proven,
 * and the cycles of those that come and go.
 */
function furtherSeconds({ problem }: EpisodeRecord, stage: Stage): number {
  const { flap, further = [], noise = [], workload, askedAfter = 0 } = problem ?? {};
  if (stage !== "inject" && stage !== "grade") return 0;
  const cycles = [flap, ...further.map((one) => one.flap)].map((one) =>
    one ? one.onSeconds + one.offSeconds : 0,
  );
  // Proven in two of them at most each; the verdict waits for one more, and for what its hold is longer.
  if (stage === "grade") return 2 * Math.max(...cycles);
  const before =
    Math.max(0, ...noise.map(({ ago }) => ago)) +
    noise.length * noiseSeconds +
    askedAfter +
    2 * sum(cycles) +
    (workload ? workloadSeconds : 0);
  if (further.length === 0) return before;
  const perFault = baselineSeconds + (problem?.limits?.injectionSeconds ?? longInjectionSeconds);
  return before + sum(further.map(({ at }) => at)) + further.length * perFault;
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

type Limits = EpisodePlan["request"] & { readonly budgets: Budgets };

function limitsOf(record: EpisodeRecord, { request }: EpisodePlan): Limits {
  return {
    ...request,
    timeouts: timeoutsOf(record, request),
    budgets: budgetsFor(record.model, request),
  };
}

const secondsOf: { readonly [S in Stage]: (request: Limits) => number } = {
  prepare: ({ timeouts }) => timeouts.prepareSeconds,
  inject: ({ timeouts, historySeconds }) => timeouts.injectionSeconds + baselineSeconds + historySeconds,
  // The budget is checked between model calls, so the last one may go beyond it.
  solve: ({ timeouts, budgets }) => budgets.seconds + timeouts.modelSeconds,
  act: ({ timeouts }) => timeouts.playbookSeconds,
  grade: ({ timeouts, soakSeconds, judge }) =>
    timeouts.recoverySeconds + soakSeconds + (judge === undefined ? 0 : timeouts.modelSeconds),
  restore: ({ timeouts }) => timeouts.prepareSeconds,
};
