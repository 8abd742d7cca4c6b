import { isUnclean } from "./damage.ts";
import type { EpisodeRecord } from "./episode.ts";
import type { Execution } from "./execution.ts";
import type { Grade } from "./grade.ts";
import type { ModelSettings } from "./model-settings.ts";
import {
  actionsWithin,
  type EndStep,
  endSteps,
  gradeOfStep,
  playbookTool,
  submitTool,
  turnSteps,
} from "./step.ts";
import { addUsage, noUsage, type Usage } from "./usage.ts";
import type { Verdict } from "./verdict.ts";

/** One round of solving, acting and grading, as reports show it. */
export interface Attempt {
  readonly number: number;
  /** The step that it ended with. */
  readonly step: EndStep;
  /** Null: no playbook was handed in. */
  readonly playbook: string | null;
  /** Why there is neither an action nor an answer. */
  readonly noPlaybookReason: string | null;
  /** What was submitted; undefined: nothing. */
  readonly answer: unknown;
  /** Observes the system. */
  readonly probes: number;
  readonly usage: Usage;
  /** Undefined: no model was asked. */
  readonly settings: ModelSettings | undefined;
  readonly execution: Execution | null;
  readonly grade: Grade | null;
  readonly verdict: Verdict | null;
}

type Stepped = Pick<EpisodeRecord, "steps">;

/** The attempts of an episode's present trial, from its steps. */
export function attemptsOf({ steps }: Stepped): Attempt[] {
  const actions = actionsWithin(steps);
  return endSteps(steps).map((step) => ({
    ...costOf([...actions.filter(({ attempt }) => attempt === step.attempt), step]),
    number: step.attempt,
    step,
    playbook: playbookOfStep(step),
    noPlaybookReason: step.kind === "submit" ? step.reason : null,
    answer: step.kind === "submit" && step.tool === submitTool ? step.arguments : undefined,
    settings: step.turn.settings,
    execution: step.kind === "act" ? step.result : null,
    grade: gradeOfStep(step),
    verdict: step.verdict,
  }));
}

function costOf(steps: readonly EndStep[]): Pick<Attempt, "probes" | "usage"> {
  return {
    probes: steps.reduce((sum, { turn }) => sum + turn.probes, 0),
    usage: steps.map(({ turn }) => turn.usage).reduce(addUsage, noUsage),
  };
}

function playbookOfStep(step: EndStep): string | null {
  if (step.kind !== "act" || step.tool !== playbookTool) return null;
  const { playbook } = step.arguments;
  return typeof playbook === "string" ? playbook : null;
}

/** What all attempts cost. */
export function usageOf({ steps }: Stepped): Usage {
  return turnSteps(steps)
    .map(({ turn }) => turn.usage)
    .reduce(addUsage, noUsage);
}

/** On the last step after which the system was measured; null: it was not. */
export function lastVerdictOf({ steps }: Stepped): Verdict | null {
  return endSteps(steps).findLast(({ verdict }) => verdict !== null)?.verdict ?? null;
}

/** Of the last step that was graded; null: none was. */
export function lastGradeOf({ steps }: Stepped): Grade | null {
  return (
    endSteps(steps)
      .map(gradeOfStep)
      .findLast((grade) => grade !== null) ?? null
  );
}

/**
 * Whether the system recovered and nothing was left worse than before; null: not asked, as in records of before, or in
 * tasks without a repair. Without a repair the fault remains, which is not clean.
 */
export function cleanOf({
  steps,
  damage,
  outcome,
}: Pick<EpisodeRecord, "steps" | "damage" | "outcome">): boolean | null {
  const verdict = lastVerdictOf({ steps });
  if (verdict === null) return outcome === "not-remediated" && damage !== null ? false : null;
  const clean = verdict.clean ?? null;
  if (clean !== true) return clean;
  return !(damage?.changes ?? []).some(isUnclean);
}
