import {
  attemptsOf,
  type ChatMessage,
  cleanOf,
  defaultTask,
  type EpisodeDocument,
  environmentOf,
  isScored,
  sentOf,
  taskOf,
} from "@microremed/contracts";
import type { Candidate, Effect } from "./pair.ts";

/** Why an episode is in no pair. */
export type LeftOut =
  | "not scored"
  | "not a repair by one playbook"
  | "its case has no other playbook"
  | "the models were given different words";

/** A repair with the conversation that it came from. */
export interface Repair {
  /** Repairs with the same key are of the same case. */
  readonly key: string;
  readonly document: EpisodeDocument;
  readonly conversation: readonly ChatMessage[];
  readonly candidate: Omit<Candidate, "completion">;
}

/** The one playbook of an episode with what it did, or why there is none. */
export function repairOf(document: EpisodeDocument): Repair | LeftOut {
  const { id, model, method, outcome, damage, steps } = document;
  if (!isScored(outcome)) return "not scored";
  const [attempt, ...more] = attemptsOf(document);
  const acts = steps.filter(({ kind }) => kind === "act");
  if (taskOf(document) !== defaultTask || more.length > 0 || acts.length !== 1)
    return "not a repair by one playbook";
  const { verdict = null, playbook = null, execution = null } = attempt ?? {};
  if (verdict === null || playbook === null) return "not a repair by one playbook";
  const { remedy, recoveredSeconds } = verdict.disruption;
  const effect: Effect = {
    recovered: verdict.recovered,
    clean: cleanOf(document),
    reason: verdict.reason,
    changes: damage?.changes ?? [],
    execution: execution?.status ?? "not run",
    requests: remedy?.requests ?? null,
    hurt: remedy?.requests == null ? null : (remedy.failed ?? 0) + (remedy.slow ?? 0),
    podsRestarted: remedy?.podsRestarted ?? null,
    recoveredSeconds,
  };
  return {
    key: keyOf(document),
    document,
    conversation: sentOf(document.conversation),
    candidate: { episode: id, model, method, playbook, effect },
  };
}

/** What decides the case: the system, its fault, the values that were drawn, and what agents are given and may do. */
function keyOf(document: EpisodeDocument): string {
  const { request, caseId, failure, target, problem, injection } = document;
  const { seed, parameters, report, persistence, policy } = request;
  return JSON.stringify([
    ...[environmentOf(document, request), caseId, failure, target, problem?.id ?? null],
    ...[seed, parameters ?? null, report, persistence, policy],
    injection?.concealment ?? request.concealment,
  ]);
}
