import type { Attempt } from "@microremed/contracts";
import { createTwoFilesPatch } from "diff";
import { ansibleTasks } from "../ansible-tasks.ts";
import type { Block, Chapter } from "../story.types.ts";
import { measurementTable, numberIn, secondsIn } from "./words.ts";

/** What an attempt did and came to: the playbook (against the one before), what Ansible made of it, both verdicts. */
export function attemptChapter(attempt: Attempt, before: Attempt | undefined): Chapter {
  return {
    title: `Attempt ${attempt.number}: ${attempt.answer === undefined ? "playbook and verdict" : "answer and grade"}`,
    blocks: [
      ...(attempt.answer === undefined ? playbookBlocks(attempt, before) : answerBlocks(attempt)),
      ...executionBlocks(attempt),
      ...verdictBlocks(attempt),
    ],
  };
}

function playbookBlocks(
  { playbook, noPlaybookReason, number }: Attempt,
  before: Attempt | undefined,
): Block[] {
  if (playbook === null) {
    return [{ kind: "text", caption: "no playbook", text: noPlaybookReason ?? "the model gave none" }];
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
  ];
}

function executionBlocks({ execution }: Attempt): Block[] {
  if (!execution) return [];
  const { status, exitCode, rule, wallSeconds, output } = execution;
  const tasks = ansibleTasks(output);
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
