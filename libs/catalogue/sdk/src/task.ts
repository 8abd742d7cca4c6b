import type { Grade, Outcome, Verdict } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { z } from "zod";
import type { Entry, Unmarked } from "./entry.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { FailureReport } from "./failure-report.ts";
import type { GroundTruth } from "./ground-truth.ts";

/** What a grader works with. */
export interface GradeContext<A = unknown> {
  /**
   * What is wrong in the whole incident. Its `objects` may be chaos objects, which an agent that may not act cannot see
   * (`wrongObjects` has what it can); `affected` it can.
   */
  readonly truth: GroundTruth;
  /** The same for each fault of the incident. Empty: nothing was injected. */
  readonly truths: readonly GroundTruth[];
  /** The system as it is declared: its call graph, and whose pods are whose. */
  readonly environment: Environment;
  /** Of the system. */
  readonly namespace: string;
  /** What the agent submitted, read by the task's schema; null: the task has none. */
  readonly answer: A;
  /** Judges by the live system whether the target has recovered. */
  readonly verify: () => Promise<Verdict>;
}

/** How an agent changes the system: by a playbook that ends its turn, or by commands within it. */
export type Acting = "playbook" | "commands";

/** What an answer is about, in an audit. */
export interface AuditedIncident {
  /** Of each fault; empty: nothing is wrong. */
  readonly truths: readonly GroundTruth[];
  readonly environment: Environment;
}

/**
 * An answer of which it is known beforehand how often it passes, such as that of an agent that always says no. For audits of
 * the task: nothing that an agent can reach leads here.
 */
export interface KnownAnswer {
  /** `oracle` knows the truth and is right in every part. */
  readonly name: string;
  answer(incident: AuditedIncident, rng: Rng): unknown;
  /** Probability that it passes, by arithmetic: 0..1. */
  chance(incident: AuditedIncident): number;
}

/** What an agent is asked to do in an episode. */
export interface Task extends Entry<"task"> {
  readonly title: string;
  /**
   * The words in which the agent is asked; they stand below the report, which says what is known of the incident.
   * `acting` is for tasks in which the system may be changed. Default: playbook.
   */
  question(report: FailureReport, acting?: Acting): string;
  /** What the agent submits; null: nothing, what counts is the state of the system. */
  readonly answer: z.ZodType | null;
  /** Whether the agent may change the system. */
  readonly mayAct: boolean;
  /** Names of tasks that are asked in turn on one incident, each with its own question and grade; absent: it is one task. */
  readonly parts?: readonly string[];
  /** True: its only part is asked at the end of every window of a watch, until the answer is an alarm; absent: once. */
  readonly watch?: true;
  /** What an episode that passed and one that failed is called; absent: solved and not-solved. */
  readonly outcomes?: { readonly passed: Outcome; readonly failed: Outcome };
  /** Free text in an answer, which a model may judge beside the grade; absent, or undefined: there is none. */
  freeText?(answer: unknown): string | undefined;
  /** Answers that an audit tries; absent: the task takes none, or it cannot be audited. */
  readonly known?: readonly KnownAnswer[];
  grade(context: GradeContext): Promise<Grade>;
}

/** A task as its author writes it: the answer that its grader gets has been read by its schema. */
export interface TaskDefinition<S extends z.ZodType | null>
  extends Omit<Unmarked<Task>, "answer" | "freeText" | "grade"> {
  readonly answer: S;
  freeText?(answer: S extends z.ZodType ? z.output<S> : null): string | undefined;
  grade(context: GradeContext<S extends z.ZodType ? z.output<S> : null>): Promise<Grade>;
}

/** Declares a task. The grader gets answers that fit the schema; any other one fails, and the grade says why. */
export function defineTask<S extends z.ZodType | null>(task: TaskDefinition<S>): Task {
  type Answer = S extends z.ZodType ? z.output<S> : null;
  const { freeText, ...rest } = task;
  return {
    ...rest,
    entry: "task",
    ...(freeText && {
      freeText: (answer: unknown) => {
        const read = task.answer?.safeParse(answer);
        return read?.success ? freeText(read.data as Answer) : undefined;
      },
    }),
    grade: async (context) => {
      const read = task.answer?.safeParse(context.answer);
      if (read?.success === false) return unreadable(read.error);
      return task.grade({ ...context, answer: (read?.data ?? null) as Answer });
    },
  };
}

/** Declares a task that is several ones in turn: in one episode, on one incident, in one conversation. */
export function defineCycle(cycle: Pick<Task, "name" | "title"> & Required<Pick<Task, "parts">>): Task {
  return madeOfParts({ ...cycle, mayAct: true });
}

/**
 * Declares a task that asks another one, `of`, again and again: at the end of every window of a stretch of cluster time in
 * which a fault may come, until the answer is an alarm (`alarm` of its grade). The agent may change nothing.
 */
export function defineWatch({ of, ...watch }: Pick<Task, "name" | "title"> & { readonly of: string }): Task {
  return madeOfParts({ ...watch, mayAct: false, parts: [of], watch: true });
}

function madeOfParts(task: Omit<Unmarked<Task>, "answer" | "question" | "grade">): Task {
  const each = (what: string) =>
    new Error(`${task.name} has no ${what} of its own: each of its parts has one`);
  return {
    ...task,
    entry: "task",
    answer: null,
    question: () => {
      throw each("question");
    },
    grade: () => Promise.reject(each("grade")),
  };
}

function unreadable(error: z.ZodError): Grade {
  const places = error.issues.map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`);
  return { passed: false, score: 0, parts: {}, reason: `the answer does not fit: ${places.join("; ")}` };
}
