import type { Verdict } from "@microremed/contracts";
import type { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";
import type { FailureReport } from "./failure-report.ts";
import type { GroundTruth } from "./ground-truth.ts";

/** How well an answer, or what was done, fits. */
export interface Grade {
  readonly passed: boolean;
  /** From 0 to 1. */
  readonly score: number;
  /** Parts of the score by name, each from 0 to 1. */
  readonly parts: Readonly<Record<string, number>>;
  /** One sentence. */
  readonly reason: string;
}

/** What a grader works with. */
export interface GradeContext<A = unknown> {
  readonly truth: GroundTruth;
  /** What the agent submitted, read by the task's schema; null: the task has none. */
  readonly answer: A;
  /** Judges by the live system whether the target has recovered. */
  readonly verify: () => Promise<Verdict>;
}

/** What an agent is asked to do in an episode. */
export interface Task extends Entry<"task"> {
  readonly title: string;
  /** The words in which the agent is asked; they stand below the report, which says what is known of the incident. */
  question(report: FailureReport): string;
  /** What the agent submits; null: nothing, what counts is the state of the system. */
  readonly answer: z.ZodType | null;
  /** Whether the agent may change the system. */
  readonly mayAct: boolean;
  grade(context: GradeContext): Promise<Grade>;
}

/** A task as its author writes it: the answer that its grader gets has been read by its schema. */
export interface TaskDefinition<S extends z.ZodType | null> extends Omit<Unmarked<Task>, "answer" | "grade"> {
  readonly answer: S;
  grade(context: GradeContext<S extends z.ZodType ? z.output<S> : null>): Promise<Grade>;
}

/** Declares a task. The grader is called with an answer that fits the schema. */
export function defineTask<S extends z.ZodType | null>(task: TaskDefinition<S>): Task {
  return {
    ...task,
    entry: "task",
    grade: (context) =>
      task.grade({
        ...context,
        answer: (task.answer ? task.answer.parse(context.answer) : null) as S extends z.ZodType
          ? z.output<S>
          : null,
      }),
  };
}
