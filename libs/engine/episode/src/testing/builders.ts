import {
  type Arena,
  type EpisodeRecord,
  ExperimentRequest,
  type ExperimentRequestInput,
  gradeOfVerdict,
  noUsage,
  plannedRecord,
  playbookTool,
  type Stage,
  type StageResult,
  type Verdict,
} from "@microremed/contracts";
import { aPlannedEpisode, aVerdict } from "@microremed/contracts/testing";
import type { EpisodePlan, TaskRules } from "../plan.ts";

/** An arena under its first lease. */
export const anArena: Arena = { cluster: "c1", slot: 0, namespace: "shop", fence: 1 };

/** The record of an episode that was just planned, in experiment `exp`, with `change` applied. */
export function anEpisode(change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return { ...plannedRecord("exp", aPlannedEpisode()), ...change };
}

/** The task whose outcome is the system's state. */
export const mitigationRules: TaskRules = {
  answered: false,
  mayAct: true,
  outcomes: { passed: "remediated", failed: "not-remediated" },
};

/** A task with an answer, and without a right to act. */
export const answeredRules: TaskRules = {
  answered: true,
  mayAct: false,
  outcomes: { passed: "solved", failed: "not-solved" },
};

/** What an episode follows: a valid request with defaults, submitted at 1 ms, and the rules of mitigation. */
export function aPlan(request: Partial<ExperimentRequestInput> = {}): EpisodePlan {
  const parsed = ExperimentRequest.parse({ environment: "shop", model: "reference/noop", ...request });
  return {
    request: parsed,
    submittedAt: 1,
    drawsKey: "key",
    maxAttempts: parsed.maxAttempts,
    task: mitigationRules,
  };
}

const check = { oracle: "cpu", passed: true, reason: "cpu is high", measurements: [] };
const cpuUsage = { name: "cpu usage", value: 0.3, unit: "cores", threshold: 0.15, at: 1 };
const baseline = { takenAt: 1, values: { "cpu-cores": 0.1 } };

const verdict = { ...aVerdict, clusterSeconds: 9, observation: "cpu is at 0.3 cores" };

function gradedAs(of: Verdict) {
  return { status: "ok", grade: gradeOfVerdict(of), verdict: of } as const;
}

/** Bodies that a stage may answer with, by a word for each. */
export const bodies = {
  prepare: { ok: { status: "ok", deployed: true } },
  inject: {
    ok: {
      status: "ok",
      baseline,
      injection: { injectedAt: 1, expiresAt: null, verdict: { ...check, measurements: [cpuUsage] } },
    },
    "no-effect": { status: "no-effect", reason: "nothing moved", baseline, verdict: null },
  },
  solve: {
    ok: {
      status: "act",
      tool: playbookTool,
      arguments: { playbook: "- hosts: all" },
      observations: [],
      usage: { ...noUsage, calls: 1 },
      probes: 2,
    },
    done: { status: "done", reason: "all is well", observations: [], usage: noUsage, probes: 1 },
    none: {
      status: "nothing",
      reason: "it only talked",
      observations: [],
      usage: { ...noUsage, calls: 1 },
      probes: 0,
    },
  },
  act: {
    ok: { status: "ok", execution: { status: "ok", exitCode: 0, output: "ok=1", wallSeconds: 1 } },
    failed: { status: "ok", execution: { status: "failed", exitCode: 2, output: "fatal", wallSeconds: 1 } },
    rejected: {
      status: "ok",
      execution: { status: "rejected", exitCode: null, output: "no list of plays", wallSeconds: 0 },
    },
  },
  grade: {
    recovered: gradedAs({ ...verdict, recovered: true, reason: "calm" }),
    not: gradedAs({ ...verdict, recovered: false, reason: "still high" }),
    "recovered by microremed": gradedAs({
      ...verdict,
      recovered: false,
      reason: "still high",
      microremed: { recovered: true, reason: "a lucky round", measurements: [] },
    }),
  },
  restore: { ok: { status: "ok", how: "reset", damage: null } },
} as const;

/** The body of a stage that failed with this error code. */
export function failedWith(code: string) {
  return { status: "failed" as const, error: { code, message: `${code} happened`, details: {} } };
}

/** The result that answers what the record waits for. */
export function aResult(
  { experimentId, id, trial, attempt }: Pick<EpisodeRecord, "experimentId" | "id" | "trial" | "attempt">,
  stage: Stage,
  body: unknown,
): StageResult {
  return { experimentId, episodeId: id, trial, attempt, stage, body } as StageResult;
}
