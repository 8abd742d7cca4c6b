import { z } from "zod";
import type { EpisodeState } from "./episode-state.ts";
import { Execution } from "./execution.ts";
import { gradeOfVerdict } from "./grade.ts";
import { ModelSettings } from "./model-settings.ts";
import { nothingTool, playbookTool, type Step } from "./step.ts";
import { Usage } from "./usage.ts";
import { Verdict } from "./verdict.ts";

/** Of records as they are written now. */
const version = 2;

/** What 0.1.0 called states. */
export const oldStates = {
  checked: "prepared",
  generating: "solving",
  executing: "acting",
  verifying: "grading",
  judged: "restoring",
} as const satisfies Record<string, EpisodeState>;

/** What 0.1.0 called stages. */
const oldStages: Readonly<Record<string, string>> = { remediate: "solve", execute: "act", verify: "grade" };

const OldAttempt = z.object({
  number: z.int(),
  playbook: z.string().nullable(),
  noPlaybookReason: z.string().nullable(),
  probes: z.int(),
  usage: Usage,
  settings: ModelSettings.optional(),
  execution: Execution.nullable(),
  verdict: Verdict.nullable(),
});

const Timing = z.looseObject({
  stage: z.string(),
  trial: z.int(),
  attempt: z.int(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
});
type Timing = z.infer<typeof Timing>;

/** An episode's record or document as 0.1.0 stored it. */
const OldEpisode = z.looseObject({
  state: z.string(),
  trial: z.int(),
  attempts: z.array(OldAttempt),
  timings: z.array(Timing),
});

/**
 * A stored episode as today's schema has it: one of 0.1.0, which had no `recordVersion`, gets steps for its attempts
 * and today's names of states and stages. What is wrong with one is said of the version that it is of: the schema of
 * today would miss fields that it never had.
 */
export function upgradeEpisode(stored: unknown, { addIssue }: Pick<z.RefinementCtx, "addIssue">): unknown {
  if (typeof stored !== "object" || stored === null) return stored;
  if ("recordVersion" in stored) {
    const { recordVersion: found } = stored;
    if (typeof found !== "number" || found <= version) return stored;
    const message = `version ${found} was written by a newer MicroRemed; this one reads up to ${version}: update it`;
    addIssue({ code: "custom", path: ["recordVersion"], message });
    return z.NEVER;
  }
  const old = OldEpisode.safeParse(stored);
  if (!old.success) {
    const said = `no saved episode: it has no recordVersion, and is none of 0.1.0`;
    for (const { path, message } of old.error.issues)
      addIssue({ code: "custom", path: [...path], message: `${said}: ${message}` });
    return z.NEVER;
  }
  const { attempts, ...kept } = old.data;
  const timings = kept.timings.map((timing) => ({ ...timing, stage: stageOf(timing.stage) }));
  const own = timings.filter(({ trial }) => trial === kept.trial);
  return {
    ...kept,
    recordVersion: version,
    state: stateOf(kept.state),
    timings,
    steps: attempts.map((attempt, i) => stepOf(attempt, i + 1, own)),
  };
}

function stateOf(state: string): string {
  return Object.entries(oldStates).find(([old]) => old === state)?.[1] ?? state;
}

function stageOf(stage: string): string {
  return oldStages[stage] ?? stage;
}

function stepOf(attempt: z.infer<typeof OldAttempt>, number: number, timings: readonly Timing[]): Step {
  const { playbook, probes, usage, settings, execution, verdict } = attempt;
  const stage = playbook === null ? "solve" : "act";
  const timing = timings.find((one) => one.stage === stage && one.attempt === attempt.number);
  const grade = verdict && gradeOfVerdict(verdict);
  const common = {
    number,
    attempt: attempt.number,
    startedAt: timing?.startedAt ?? null,
    endedAt: timing?.endedAt ?? null,
    clusterTime: execution?.startedAt ?? null,
    turn: { usage, probes, ...(settings && { settings }) },
    verdict,
  };
  if (playbook !== null)
    return { ...common, kind: "act", tool: playbookTool, arguments: { playbook }, result: execution, grade };
  const reason = attempt.noPlaybookReason;
  return { ...common, kind: "submit", tool: nothingTool, arguments: null, reason, result: grade };
}
