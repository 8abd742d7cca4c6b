import type { Task } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { auditTasks, isAsExpected } from "./audit-tasks.ts";
import { taskAuditTable } from "./render-task-audit.ts";

const catalogue = await builtInCatalogue();
const suite = "range@1";

/** The catalogue with one task changed. */
const withTask = (name: string, changed: (task: Task) => Task) => ({
  ...catalogue,
  tasks: {
    ...catalogue.tasks,
    get: (wanted: string) => {
      const task = catalogue.tasks.get(wanted);
      return wanted === name ? changed(task) : task;
    },
  },
});

test("every known answer scores what arithmetic says on every problem of every suite", async () => {
  const audit = await auditTasks(catalogue, catalogue.problems.suites, 1);
  expect(audit.wrong).toEqual([]);
  expect(isAsExpected(audit), taskAuditTable(audit)).toBe(true);
  const oracle = audit.rows.filter((row) => row.suite === suite && row.answer === "oracle");
  expect(oracle.length).toBeGreaterThan(2);
  for (const { problems, passed, tolerance } of oracle) expect([passed, tolerance]).toEqual([problems, 0]);
  expect(audit.leftOut.map(({ why }) => why)).toEqual(
    audit.leftOut.map(() => expect.stringContaining("live system")),
  );
});

test("a grader that lets everything pass is found, with the problem and what it said", async () => {
  const kind = withTask("detection", (task) => ({
    ...task,
    grade: async () => ({ passed: true, score: 1, parts: {}, reason: "very good" }),
  }));
  const audit = await auditTasks(kind, [suite], 1);
  expect(isAsExpected(audit)).toBe(false);
  const no = audit.rows.find(({ task, answer }) => task === "detection" && answer === "always-no");
  expect(no).toMatchObject({ isAsExpected: false, passed: no?.problems });
  expect(audit.wrong[0]).toMatchObject({ task: "detection", passed: true, reason: "very good" });
  expect(taskAuditTable(audit, 80)).toMatch(/WRONG[\s\S]*very good/);
});

test("a grader that takes a coin for half a point too much is found by the number of passes", async () => {
  const kind = withTask("detection", (task) => ({
    ...task,
    grade: async (context) => {
      const grade = await task.grade(context);
      return { ...grade, passed: grade.passed || context.truths.length > 0 };
    },
    known: (task.known ?? []).filter(({ name }) => name === "random"),
  }));
  const audit = await auditTasks(kind, [suite], 1);
  const random = audit.rows.find(({ task }) => task === "detection");
  expect(random).toMatchObject({ answer: "random", isAsExpected: false });
  expect(audit.wrong).toEqual([]);
});

test("a task whose folder has no known answers is named, not dropped", async () => {
  const without = withTask("analysis", ({ known: _, ...task }) => task);
  const { leftOut } = await auditTasks(without, [suite], 1);
  expect(leftOut).toContainEqual({ suite, task: "analysis", why: expect.stringContaining("known") });
});
