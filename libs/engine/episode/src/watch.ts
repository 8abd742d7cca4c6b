import {
  type Budgets,
  type CommandOf,
  type EpisodeRecord,
  gradeOfStep,
  isInjected,
  mostProbeRounds,
  mostToolCalls,
  noFailure,
  type Watch,
} from "@microremed/contracts";
import { createRng } from "@microremed/core";
import { budgetsFor } from "@microremed/llm/policy-needs";
import { caseSeed } from "./case-seed.ts";
import { timeoutsOf } from "./limits-of.ts";
import type { EpisodePlan } from "./plan.ts";
import { lastEnd } from "./steps.ts";

/** A fault comes in this part of a window, and each of the two steps of its proof may take as long. */
const third = 1 / 3;

/** When the agent of a watch is asked: as its problem says, or its request. */
export function watchOf({ problem }: Pick<EpisodeRecord, "problem">, { request }: EpisodePlan): Watch {
  return problem?.watch ?? request.watch;
}

/** Number of the window that passes now, or has passed last, from 1. */
export function windowNumber({ attempt }: Pick<EpisodeRecord, "attempt">): number {
  return Math.max(1, attempt);
}

/** Whether another window follows: the last answer was no alarm, and an alarm in the next one could still be right. */
export function goesOnWatching(record: EpisodeRecord, plan: EpisodePlan): boolean {
  const { windows, withinWindows } = watchOf(record, plan);
  if (plan.task.watch === undefined || windowNumber(record) >= windows) return false;
  if (
    isInjected(record.injection) &&
    windowNumber(record) >= drawnFault(record, plan).window + withinWindows - 1
  )
    return false;
  const end = lastEnd(record);
  return end === undefined || gradeOfStep(end)?.alarm !== true;
}

/** What the injector is to do in the window: nothing of it depends on the agent. */
export function windowCommand(
  record: EpisodeRecord,
  plan: EpisodePlan,
): Pick<CommandOf<"inject">, "window" | "timeoutSeconds"> {
  const { windowSeconds } = watchOf(record, plan);
  const { baseline, injection, watched } = record;
  const fault = faultOf(record, plan);
  return {
    window: {
      seconds: windowSeconds,
      faultAfter: fault?.window === windowNumber(record) ? fault.after : null,
      passed: (windowNumber(record) - 1) * windowSeconds,
      ...(watched?.paceMs !== undefined && { paceMs: watched.paceMs }),
      ...(baseline && injection && { before: { baseline, injection } }),
    },
    timeoutSeconds: Math.min(
      timeoutsOf(record, plan.request).injectionSeconds,
      Math.floor(windowSeconds * third),
    ),
  };
}

/** So many observations as an episode allows are allowed in each window; what costs money is limited for the whole watch. */
export function watchBudgets(record: EpisodeRecord, { request }: EpisodePlan): Budgets {
  const budgets = budgetsFor(record.model, request);
  const windows = windowNumber(record);
  return {
    ...budgets,
    probeRounds: Math.min(mostProbeRounds, budgets.probeRounds * windows),
    toolCalls: Math.min(mostToolCalls, budgets.toolCalls * windows),
  };
}

/** Window and second of the fault, drawn by the case's seed: the same for every agent. Null: none comes any more. */
function faultOf(
  record: EpisodeRecord,
  plan: EpisodePlan,
): { readonly window: number; readonly after: number } | null {
  return record.failure === noFailure || isInjected(record.injection) ? null : drawnFault(record, plan);
}

function drawnFault(
  record: EpisodeRecord,
  plan: EpisodePlan,
): { readonly window: number; readonly after: number } {
  const { windows, windowSeconds } = watchOf(record, plan);
  const rng = createRng(caseSeed(record), "watch");
  return { window: 1 + rng.int(windows), after: rng.int(Math.floor(windowSeconds * third) + 1) };
}
