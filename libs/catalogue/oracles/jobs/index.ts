import {
  defineOracle,
  judged,
  type KubeObject,
  kinds,
  lastSuccessOf,
  type Measurement,
  type OracleVerdict,
  type Round,
  type SymptomVerdict,
  symptomOf,
} from "@microremed/catalogue";
import { periodSeconds } from "./period.ts";

/** What a run may take beyond its period, s: a pod is placed, starts and works for some seconds. */
const runSeconds = 30;
/** A run that is so late, s, did not just take a little longer. */
const lateSeconds = 40;

/** Every CronJob of the arena that is due every few minutes has completed a run lately. */
export default defineOracle({
  name: "jobs",
  description: "the CronJobs that are due every few minutes have each completed their last run",
  cost: 8,
  async baseline(round) {
    return { cronJobs: (await readRuns(round)).length };
  },
  measure: async (round) =>
    judgeRuns(await readRuns(round), round.context.baseline["cronJobs"] ?? 0, round.state.at),
  symptom: async (round) => lateRuns(await readRuns(round), round.state.at),
});

/** A CronJob of the arena as it runs. */
export interface Run {
  readonly name: string;
  /** s between two runs. */
  readonly period: number;
  /** Cluster time, ms, of the last run that was completed; null: none was. */
  readonly completed: number | null;
}

async function readRuns({ context: { cluster, namespace } }: Round): Promise<Run[]> {
  return (await cluster.list(kinds.cronJob, { namespace })).flatMap(runOf);
}

/** Empty: it is suspended, or is due too seldom to be judged. */
export function runOf(cronJob: KubeObject): Run[] {
  const { metadata, spec } = cronJob;
  const { schedule, suspend } = (spec ?? {}) as { schedule?: string; suspend?: boolean };
  const period = periodSeconds(schedule ?? "");
  if (suspend || period === undefined) return [];
  return [{ name: metadata.name, period, completed: lastSuccessOf(cronJob) ?? null }];
}

const secondsSince = ({ completed }: Run, at: number): number =>
  completed === null ? Number.POSITIVE_INFINITY : (at - completed) / 1000;

const measured = (runs: readonly Run[], over: number, at: number): Measurement[] =>
  runs.map((run) => ({
    name: `time since a run of ${run.name} was completed`,
    value: run.completed === null ? null : Math.max(0, secondsSince(run, at)),
    unit: "s",
    threshold: run.period + over,
    at,
  }));

/** `wanted`: how many CronJobs there were in the healthy system. */
export function judgeRuns(runs: readonly Run[], wanted: number, at: number): OracleVerdict {
  const problems = runs.flatMap((run) =>
    secondsSince(run, at) > run.period + runSeconds ? [`${run.name} completed no run lately`] : [],
  );
  if (runs.length < wanted) problems.push(`${runs.length} CronJobs are due of ${wanted}`);
  return judged("jobs", problems, "every CronJob has completed its last run", measured(runs, runSeconds, at));
}

export function lateRuns(runs: readonly Run[], at: number): SymptomVerdict {
  const signs = runs.flatMap((run) =>
    secondsSince(run, at) > run.period + lateSeconds ? [`${run.name} completed no run lately`] : [],
  );
  return symptomOf("jobs", signs, "every CronJob completes its runs", measured(runs, lateSeconds, at));
}
