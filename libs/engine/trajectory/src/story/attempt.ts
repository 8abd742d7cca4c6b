import { type ActStep, type Attempt, playbookTool } from "@microremed/contracts";
import { createTwoFilesPatch } from "diff";
import { ansibleTasks } from "../ansible-tasks.ts";
import type { Block, Chapter } from "../story.types.ts";
import { measurementTable, numberIn, secondsIn } from "./words.ts";

/**
 * What an attempt, which `place` names, did and came to: the actions after which its turn went on, the playbook (against the one before), what
 * Ansible made of it, both verdicts; or the answer and its grade.
 */
export function attemptChapter(
  place: string,
  attempt: Attempt,
  before: Attempt | undefined,
  actions: readonly ActStep[],
): Chapter {
  return {
    title: titleOf(place, attempt, actions),
    blocks: [
      ...actions.flatMap(actionBlocks),
      ...endBlocks(attempt, before, actions),
      ...executionBlocks(attempt.execution, attempt.step.tool),
      ...verdictBlocks(attempt),
    ],
  };
}

function titleOf(place: string, { step, answer }: Attempt, actions: readonly ActStep[]): string {
  if (answer !== undefined && step.verdict === null) return `${place}: answer and grade`;
  return `${place}: ${actions.length > 0 ? "actions" : "playbook"} and verdict`;
}

function endBlocks(attempt: Attempt, before: Attempt | undefined, actions: readonly ActStep[]): Block[] {
  if (attempt.answer !== undefined) return answerBlocks(attempt);
  if (attempt.playbook !== null || actions.length === 0) return playbookBlocks(attempt, before);
  const text = attempt.noPlaybookReason ?? "it ended with the last action";
  return [{ kind: "text", caption: "end of the turn", text }];
}

/** What a model said of the free text, which is no part of the grade. */
function judgementBlocks(judgement: NonNullable<Attempt["grade"]>["judgement"]): Block[] {
  if (!judgement) return [];
  const { model, correct, reason } = judgement;
  const said = correct === null ? "no judgement" : correct ? "correct" : "not correct";
  return [{ kind: "text", caption: `free text, judged by ${model}: ${said}`, text: reason }];
}

/** An action after which the turn went on: what was called, what it changed, what came of it. */
function actionBlocks(step: ActStep, place: number): Block[] {
  const caption = `action ${place + 1}: ${step.tool}`;
  const changed = step.changed ?? [];
  return [
    { kind: "code", caption, text: argumentsText(step) },
    ...(changed.length > 0
      ? [
          {
            kind: "table" as const,
            caption: `objects that action ${place + 1} changed`,
            table: [
              ["object", "before"],
              ...changed.map(({ kind, name, before: was }) => [
                `${kind}/${name}`,
                was === null ? "there was none" : was === undefined ? "too large to be kept" : "kept",
              ]),
            ],
          },
        ]
      : []),
    ...executionBlocks(step.result, step.tool),
  ];
}

/** A command, or a playbook, as it was written. */
function argumentsText({ tool, arguments: given }: ActStep): string {
  const only = given[tool === playbookTool ? "playbook" : "command"];
  return typeof only === "string" ? only : JSON.stringify(given, null, 2);
}

function playbookBlocks(
  { playbook, noPlaybookReason, number }: Attempt,
  before: Attempt | undefined,
): Block[] {
  if (playbook === null) {
    return [{ kind: "text", caption: "no playbook", text: noPlaybookReason ?? "the agent gave none" }];
  }
  const whole: Block = { kind: "code", caption: "playbook", text: playbook };
  if (!before?.playbook) return [whole];
  const names = [`attempt ${before.number}`, `attempt ${number}`] as const;
  const patch = createTwoFilesPatch(...names, before.playbook, playbook, "", "", { context: 3 });
  return [whole, { kind: "diff", caption: `what changed since attempt ${before.number}`, text: patch }];
}

function answerBlocks({ answer, grade }: Attempt): Block[] {
  const graded = grade
    ? `${grade.passed ? "passed" : "failed"} with ${grade.score}: ${grade.reason}`
    : "none: it was not graded";
  return [
    { kind: "code", caption: "answer", text: JSON.stringify(answer, null, 2) },
    { kind: "text", caption: "grade", text: graded },
    ...judgementBlocks(grade?.judgement),
  ];
}

function executionBlocks(execution: Attempt["execution"], tool: string): Block[] {
  if (!execution) return [];
  const { status, exitCode, rule, wallSeconds, output } = execution;
  const tasks = tool === playbookTool ? ansibleTasks(output) : [];
  const broken = rule === undefined ? "" : `, it breaks the rule ${rule}`;
  return [
    {
      kind: "text",
      caption: "execution",
      text: `${status} after ${secondsIn(wallSeconds)}, exit code ${exitCode ?? "none"}${broken}`,
    },
    ...(tasks.length > 0
      ? [
          {
            kind: "table" as const,
            caption: "tasks",
            table: [
              ["task", "host", "result"],
              ...tasks.map(({ task, host, status: came }) => [task, host, came]),
            ],
          },
        ]
      : []),
    { kind: "code", caption: "output", text: output },
  ];
}

function verdictBlocks({ verdict, answer }: Attempt): Block[] {
  if (!verdict && answer !== undefined) return [];
  if (!verdict) return [{ kind: "text", caption: "verdict", text: "none" }];
  const { recovered, reason, oracles, microremed, observation } = verdict;
  return [
    { kind: "text", caption: `strict verdict: ${wordFor(recovered)}`, text: reason },
    ...oracles.flatMap(({ oracle, passed, reason: why, measurements }): Block[] => [
      { kind: "text", caption: `oracle ${oracle}: ${passed ? "passed" : "failed"}`, text: why },
      ...(measurements.length > 0
        ? [
            {
              kind: "table" as const,
              caption: `measurements of ${oracle}`,
              table: measurementTable(measurements),
            },
          ]
        : []),
    ]),
    {
      kind: "text",
      caption: `published rules: ${microremed ? wordFor(microremed.recovered) : "not asked"}`,
      text: microremed?.reason ?? "they have no check for this failure",
    },
    { kind: "text", caption: "observation", text: observation },
    disruptionBlock(verdict.disruption),
  ];
}

const wordFor = (recovered: boolean): string => (recovered ? "recovered" : "not recovered");

function disruptionBlock({
  injection,
  remedy,
  ...times
}: NonNullable<Attempt["verdict"]>["disruption"]): Block {
  const row = (name: string, phase: typeof injection | null) => [
    name,
    ...(phase
      ? [
          phase.seconds,
          phase.requests,
          phase.failed,
          phase.slow,
          phase.violationSeconds,
          phase.podsRestarted,
        ].map(numberIn)
      : ["-", "-", "-", "-", "-", "-"]),
  ];
  const caption = `what users saw; mitigated after ${secondsIn(times.mitigatedSeconds)}, recovered after ${secondsIn(times.recoveredSeconds)} of cluster time`;
  return {
    kind: "table",
    caption,
    table: [
      ["part", "seconds", "requests", "failed", "slow", "seconds of violation", "pods restarted"],
      row("failure", injection),
      row("remedy", remedy),
    ],
  };
}
