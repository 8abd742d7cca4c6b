import {
  type EpisodeDocument,
  environmentOf,
  lastVerdictOf,
  type Usage,
  usageOf,
  type Verdict,
} from "@microremed/contracts";
import { type EpisodeRow, episodeRow } from "@microremed/scoring";
import { rewardsOf } from "./rewards.ts";

export type Value = string | number | null;

/** One column of the flat export: also its line in the data card. */
export interface Column {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "DOUBLE";
  readonly doc: string;
  readonly value: (of: Source) => Value;
}

/** What a column is read from. */
interface Source {
  readonly document: EpisodeDocument;
  readonly row: EpisodeRow;
  readonly usage: Usage;
}

const disruption = ({ document }: Source): Verdict["disruption"] | undefined =>
  lastVerdictOf(document)?.disruption;

const text = (name: string, doc: string, value: Column["value"]): Column => ({
  name,
  type: "STRING",
  doc,
  value,
});
const count = (name: string, doc: string, value: Column["value"]): Column => ({
  name,
  type: "INT32",
  doc,
  value,
});
const real = (name: string, doc: string, value: Column["value"]): Column => ({
  name,
  type: "DOUBLE",
  doc,
  value,
});

/** One row an episode, in this order. */
export const columns: readonly Column[] = [
  text("experiment_id", "the experiment", ({ document }) => document.experimentId),
  text("episode_id", "the episode", ({ document }) => document.id),
  count("index", "its number in the experiment", ({ document }) => document.index),
  text("environment", "system under test", ({ document }) => environmentOf(document, document.request)),
  text("failure", "what was injected; `none`: a control", ({ document }) => document.failure),
  text("target", "the workload that it was injected into", ({ document }) => document.target),
  text("problem", "the problem of a suite; null: the request named failures", ({ row }) => row.problem),
  text("case_id", "the same for every model, method and repeat", ({ document }) => document.caseId),
  text("model", "who was tried", ({ document }) => document.model),
  text("method", "how", ({ document }) => document.method),
  count("repeat", "which run of the case", ({ document }) => document.repeat),
  count("seed", "of the experiment", ({ document }) => document.request.seed),
  text("report", "what the diagnosis report said", ({ document }) => document.request.report),
  text("feedback", "what the method received after an attempt", ({ document }) => document.request.feedback),
  text(
    "concealment",
    "whether the cause could be found",
    ({ document }) => document.injection?.concealment ?? document.request.concealment,
  ),
  text("persistence", "whether a new pod is a repair", ({ document }) => document.request.persistence),
  text("policy", "what playbooks might do", ({ document }) => document.request.policy),
  text(
    "outcome",
    "remediated or not-remediated, at other tasks solved or not-solved, or why it is not scored",
    ({ row }) => row.outcome,
  ),
  count("reward_strict", "1 or 0; null: leave the episode out", ({ document }) => rewardsOf(document).strict),
  count(
    "reward_clean",
    "1: remediated, and nothing left worse than before; null: not asked",
    ({ document }) => rewardsOf(document).clean,
  ),
  count("reward_microremed", "by the published rules", ({ document }) => rewardsOf(document).microremed),
  text("reason", "why this outcome, in words", ({ row }) => row.reason),
  count("attempts", "rounds of solving, acting, grading", ({ row }) => row.attempts),
  count("probes", "observations of the arena", ({ row }) => row.probes),
  count("model_calls", "calls of the model", ({ usage }) => usage.calls),
  count("prompt_tokens", "as the provider counted, cached ones included", ({ usage }) => usage.promptTokens),
  count("completion_tokens", "reasoning included", ({ usage }) => usage.completionTokens),
  count("cached_tokens", "of the prompt tokens", ({ usage }) => usage.cachedTokens),
  count("reasoning_tokens", "of the completion tokens", ({ usage }) => usage.reasoningTokens),
  count(
    "estimated_tokens",
    "the published benchmark's estimate, characters / 4",
    ({ usage }) => usage.estimatedTokens,
  ),
  real("cost_usd", "at the models file's prices; null: none known", ({ usage }) => usage.cost),
  real("model_seconds", "wall clock of the model's calls; null: not measured", ({ row }) => row.modelSeconds),
  real(
    "cluster_seconds",
    "cluster time from the injection to the verdict's last measurement",
    ({ row }) => row.clusterSeconds,
  ),
  real(
    "machinery_seconds",
    "wall clock of all but the model's calls, which the machine's load decides",
    ({ row }) => row.machinerySeconds,
  ),
  real("seconds", "wall clock from lease to verdict, the harness included", ({ row }) => row.seconds),
  real("remediation_seconds", "of them, solving, acting and grading", ({ row }) => row.remediationSeconds),
  real(
    "mitigated_seconds",
    "cluster time until the symptom was gone",
    (of) => disruption(of)?.mitigatedSeconds ?? null,
  ),
  real(
    "recovered_seconds",
    "cluster time until all was in order",
    (of) => disruption(of)?.recoveredSeconds ?? null,
  ),
  real(
    "violation_seconds_injection",
    "of the objectives, before the first playbook",
    (of) => disruption(of)?.injection.violationSeconds ?? null,
  ),
  real(
    "violation_seconds_remedy",
    "from the first playbook to the verdict",
    (of) => disruption(of)?.remedy?.violationSeconds ?? null,
  ),
  count(
    "pods_restarted_remedy",
    "pods that remedies replaced or restarted",
    (of) => disruption(of)?.remedy?.podsRestarted ?? null,
  ),
  count("damage", "changes that the remedies left; null: not compared", ({ row }) => row.damage),
  count(
    "collateral",
    "healthy objects that the incident had not hit and the agent wrote or restarted; null: not compared",
    ({ row }) => row.collateral,
  ),
  text("restored", "how the arena got back to its baseline", ({ document }) => document.restored),
  count("trials", "tries of the harness", ({ row }) => row.trials),
  count("redraws", "failed injections after which the case was drawn again", ({ row }) => row.redraws),
  text("error_code", "of a harness error", ({ row }) => row.errorCode),
  text("task", "what the agent was asked", ({ row }) => row.task),
  real("score", "of the last answer or of the system, 0 to 1; null: not graded", ({ row }) => row.score),
  text("parameters", "what the request set of the failure, as JSON; null: nothing", ({ document }) => {
    const { request, failure } = document;
    const set = request.parameters?.[failure];
    return set ? JSON.stringify(set) : null;
  }),
  count(
    "earlier_trials",
    "trials before in which the agent had been given something",
    ({ row }) => row.earlierTrials,
  ),
];

/** The values of an episode's columns. */
export function valuesOf(document: EpisodeDocument): Value[] {
  const source: Source = {
    document,
    row: episodeRow(document, document.request.thinkTime),
    usage: usageOf(document),
  };
  return columns.map(({ value }) => value(source));
}
