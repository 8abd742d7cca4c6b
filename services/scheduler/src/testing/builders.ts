import {
  type Arena,
  type EpisodeRecord,
  ExperimentRequest,
  type ExperimentRequestInput,
  noUsage,
  plannedRecord,
  type Stage,
  type StageResult,
} from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import type { EpisodePlan } from "../stage-command.ts";

export const anArena: Arena = { cluster: "c1", slot: 0, namespace: "shop", fence: 1 };

export function anEpisode(change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return { ...plannedRecord("exp", aPlannedEpisode()), ...change };
}

export function aPlan(request: Partial<ExperimentRequestInput> = {}): EpisodePlan {
  const parsed = ExperimentRequest.parse({ environment: "shop", model: "reference/noop", ...request });
  return { request: parsed, submittedAt: 1, maxAttempts: parsed.maxAttempts };
}

const check = { oracle: "cpu", passed: true, reason: "cpu is high", measurements: [] };
const cpuUsage = { name: "cpu usage", value: 0.3, unit: "cores", threshold: 0.15, at: 1 };
const baseline = { takenAt: 1, values: { "cpu-cores": 0.1 } };

const verdict = {
  oracles: [],
  clusterSeconds: 9,
  microremed: { recovered: false, reason: "not asked", measurements: [] },
  observation: "cpu is at 0.3 cores",
  disruption: {
    injection: {
      seconds: 0,
      requests: null,
      failed: null,
      slow: null,
      violationSeconds: null,
      podsRestarted: 0,
    },
    remedy: null,
    mitigatedSeconds: null,
    recoveredSeconds: null,
  },
};

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
    ok: { status: "playbook", playbook: "- hosts: all", usage: { ...noUsage, calls: 1 }, probes: 2 },
    done: { status: "done", reason: "all is well", usage: noUsage, probes: 1 },
    none: { status: "no-playbook", reason: "it only talked", usage: { ...noUsage, calls: 1 }, probes: 0 },
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
    recovered: { status: "ok", verdict: { ...verdict, recovered: true, reason: "calm" } },
    not: {
      status: "ok",
      verdict: { ...verdict, recovered: false, reason: "still high" },
    },
    "recovered by microremed": {
      status: "ok",
      verdict: {
        ...verdict,
        recovered: false,
        reason: "still high",
        microremed: { recovered: true, reason: "a lucky round", measurements: [] },
      },
    },
  },
  restore: { ok: { status: "ok", how: "reset", damage: null } },
} as const;

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
