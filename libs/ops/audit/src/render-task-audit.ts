import { paragraph, plainTable } from "@microremed/scoring";
import type { TaskAudit, TaskAuditRow } from "./audit-tasks.ts";

const mostShown = 50;

/** The audit of tasks for a terminal of `width` characters: each answer's passes and what arithmetic says, then what is wrong. */
export function taskAuditTable(audit: TaskAudit, width = Number.POSITIVE_INFINITY): string {
  const { rows, wrong, leftOut, missing } = audit;
  const table = plainTable(
    [
      ["suite", "task", "answer", "passed", "expected", ""],
      ...rows.map((row) => [
        ...[row.suite, row.task, row.answer],
        `${row.passed}/${row.problems}`,
        expectedOf(row),
        row.isAsExpected ? "ok" : "WRONG",
      ]),
    ],
    width,
  );
  const notes = [
    ...leftOut.map(({ suite, task, why }) => `${suite}, ${task}: ${why}`),
    ...Object.entries(missing).flatMap(([suite, count]) =>
      count === 0 ? [] : [`${suite}: ${count} problems cannot be run here and are left out`],
    ),
  ];
  const grades = wrong
    .slice(0, mostShown)
    .map(
      ({ problem, task, answer, passed, score, reason }) =>
        `${problem}, ${task}, ${answer}: ${passed ? "passed" : "failed"} with ${score}: ${reason}`,
    );
  const more = wrong.length > mostShown ? [`... and ${wrong.length - mostShown} more`] : [];
  return [table, ...[...notes, ...grades, ...more].map((line) => paragraph(line, width))].join("\n");
}

const short = (value: number): string => String(Number(value.toFixed(1)));

function expectedOf({ expected, tolerance }: TaskAuditRow): string {
  return tolerance === 0 ? short(expected) : `${short(expected)} ± ${short(tolerance)}`;
}
