import {
  type AuditedIncident,
  type KnownAnswer,
  type Problem,
  type Task,
  truthOf,
  unionOfTruths,
} from "@microremed/catalogue";
import { createRng, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";

/** What an answer scored at a task, over the problems of a suite, and what arithmetic says. */
export interface TaskAuditRow {
  readonly suite: string;
  readonly task: string;
  readonly answer: string;
  readonly problems: number;
  readonly passed: number;
  /** Sum of the chances of the problems. */
  readonly expected: number;
  /** How far `passed` may be from it: four standard deviations; 0 where nothing is drawn. */
  readonly tolerance: number;
  /** Within the tolerance, and no problem with a certain grade has another one. */
  readonly isAsExpected: boolean;
}

/** A problem whose grade is certain, and was another one. */
export interface WrongGrade {
  readonly problem: string;
  readonly task: string;
  readonly answer: string;
  readonly passed: boolean;
  readonly score: number;
  readonly reason: string;
}

/** The audit of the tasks of some suites. */
export interface TaskAudit {
  readonly rows: readonly TaskAuditRow[];
  readonly wrong: readonly WrongGrade[];
  /** Tasks that could not be audited so, and why. */
  readonly leftOut: readonly { readonly suite: string; readonly task: string; readonly why: string }[];
  /** Problems that cannot be run here, by suite. */
  readonly missing: Readonly<Record<string, number>>;
}

const deviations = 4;

type Parts = Pick<Catalogue, "faults" | "tasks" | "environments" | "problems">;

/**
 * Grades the known answers of every task on every problem of the suites that can be run here. Nothing is deployed: answers
 * are graded by the incident's ground truth. The seed decides what is drawn. Throws `unknown-problem` (terminal) for a suite
 * without problems.
 */
export async function auditTasks(
  catalogue: Parts,
  suites: readonly string[],
  seed: number,
): Promise<TaskAudit> {
  const rows: TaskAuditRow[] = [];
  const wrong: WrongGrade[] = [];
  const leftOut: { suite: string; task: string; why: string }[] = [];
  const missing: Record<string, number> = {};
  for (const suite of suites) {
    const all = catalogue.problems.of(suite);
    const here = all.filter((problem) => problem.missing.length === 0);
    missing[suite] = all.length - here.length;
    for (const [name, problems] of problemsByTask(catalogue, here)) {
      const task = catalogue.tasks.get(name);
      const why = whyLeftOut(task);
      if (why !== undefined) leftOut.push({ suite, task: name, why });
      for (const known of task.known ?? []) {
        const graded = await gradeAll(catalogue, task, known, problems, seed);
        rows.push(rowOf(suite, name, known.name, graded));
        wrong.push(...graded.flatMap((one) => wrongGrade(one, name, known.name)));
      }
    }
  }
  return { rows, wrong, leftOut, missing };
}

/** Whether everything scored what arithmetic says. */
export const isAsExpected = ({ rows }: TaskAudit): boolean => rows.every((row) => row.isAsExpected);

function whyLeftOut({ known, answer }: Task): string | undefined {
  if (known !== undefined) return undefined;
  return answer === null
    ? "it is graded by the live system: `microremed audit --failures` tries repairs and shortcuts there"
    : "its folder has no `known` answers";
}

/** Problems under the tasks that they ask for; of a task with parts, under each part. */
function problemsByTask({ tasks }: Parts, problems: readonly Problem[]): Map<string, Problem[]> {
  const byTask = new Map<string, Problem[]>();
  for (const problem of problems) {
    const asked = new Set(problem.tasks.flatMap((name) => tasks.get(name).parts ?? [name]));
    for (const name of asked) byTask.set(name, [...(byTask.get(name) ?? []), problem]);
  }
  return byTask;
}

interface Graded {
  readonly problem: Problem;
  readonly chance: number;
  readonly passed: boolean;
  readonly score: number;
  readonly reason: string;
}

function gradeAll(
  catalogue: Parts,
  task: Task,
  known: KnownAnswer,
  problems: readonly Problem[],
  seed: number,
): Promise<Graded[]> {
  return Promise.all(
    problems.map(async (problem) => {
      const incident = auditedIncident(catalogue, problem, seed);
      const rng = createRng(seed, [task.name, known.name, problem.id].join(" "));
      const { truths, environment } = incident;
      const grade = await task.grade({
        ...{ truths, truth: unionOfTruths(truths), environment, namespace: environment.namespace },
        answer: known.answer(incident, rng),
        verify: () => Promise.reject(terminal("internal", "an audit of answers measures no live system")),
      });
      const { passed, score, reason } = grade;
      return { problem, chance: known.chance(incident), passed, score, reason };
    }),
  );
}

/** The truth of a problem as a grader gets it. */
function auditedIncident(
  { faults, environments, problems }: Parts,
  problem: Problem,
  seed: number,
): AuditedIncident {
  const environment = environments.get(problem.environment);
  const truths = problems.at(problem, seed).incident.flatMap(({ fault: name, target, parameters }) => {
    const fault = faults.get(name);
    return fault.control ? [] : [truthOf(fault, environment, { target, parameters })];
  });
  return { truths, environment };
}

function rowOf(suite: string, task: string, answer: string, graded: readonly Graded[]): TaskAuditRow {
  const sum = (of: (one: Graded) => number): number => graded.reduce((total, one) => total + of(one), 0);
  const passed = sum((one) => Number(one.passed));
  const expected = sum(({ chance }) => chance);
  const tolerance = deviations * Math.sqrt(sum(({ chance }) => chance * (1 - chance)));
  const isRight = graded.every((one) => !isWrong(one)) && Math.abs(passed - expected) <= tolerance + 1e-9;
  return {
    ...{ suite, task, answer, problems: graded.length, passed, expected, tolerance },
    isAsExpected: isRight,
  };
}

/** What passes for certain has the full score. */
function isWrong({ chance, passed, score }: Graded): boolean {
  if (chance === 1) return !passed || score !== 1;
  return chance === 0 && passed;
}

function wrongGrade(one: Graded, task: string, answer: string): WrongGrade[] {
  const { problem, passed, score, reason } = one;
  return isWrong(one) ? [{ problem: problem.id, task, answer, passed, score, reason }] : [];
}
