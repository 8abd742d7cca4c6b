import {
  type ActStep,
  type EpisodeRecord,
  type ExperimentRecord,
  ExperimentRequest,
  noUsage,
  playbookTool,
} from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { createReport, type Report } from "../index.ts";

export function anAct(): ActStep {
  const usage = { ...noUsage, calls: 2, promptTokens: 100, completionTokens: 20, estimatedTokens: 90 };
  return {
    number: 1,
    attempt: 1,
    startedAt: 5_000,
    endedAt: null,
    clusterTime: null,
    kind: "act",
    tool: playbookTool,
    arguments: { playbook: "- hosts: all" },
    result: null,
    turn: { usage, probes: 2 },
    grade: null,
    verdict: null,
  };
}

/** An episode with one repair that was remediated; `over`: what differs. */
export function anEpisode(index: number, over: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    recordVersion: 2,
    id: `exp.${String(index).padStart(4, "0")}`,
    experimentId: "exp",
    ...aPlannedEpisode({ index, target: "cartservice" }),
    redraws: [],
    version: 9,
    state: "done",
    trial: 1,
    attempt: 1,
    arena: { cluster: "sim-0", slot: 0, namespace: "shop", fence: 1 },
    baseline: null,
    injection: null,
    steps: [anAct()],
    outcome: "remediated",
    reason: "all oracles passed",
    error: null,
    damage: null,
    restored: "reset",
    timings: [
      { stage: "prepare", trial: 1, attempt: 0, startedAt: 1_000, endedAt: 2_000 },
      { stage: "solve", trial: 1, attempt: 1, startedAt: 2_000, endedAt: 5_000 },
      { stage: "restore", trial: 1, attempt: 1, startedAt: 5_000, endedAt: 9_000 },
    ],
    ...over,
  };
}

/** The report of these episodes; `request`: what differs from a request of `reference/noop` on online-boutique. */
export function aReport(episodes: EpisodeRecord[], request: Partial<ExperimentRequest> = {}): Report {
  const experiment: ExperimentRecord = {
    id: "exp",
    request: {
      ...ExperimentRequest.parse({ environment: "online-boutique", model: "reference/noop" }),
      ...request,
    },
    status: "completed",
    episodes: episodes.length,
    harnessVersion: "1.2.3",
    range: "processes",
    submittedAt: 0,
    finishedAt: 1,
  };
  return createReport(experiment, episodes);
}
