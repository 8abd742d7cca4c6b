import { Budgets, type ExperimentRequest, usualProbes } from "@microremed/contracts";

/** What a rule-based policy needs, where the request leaves it open. */
export interface PolicyNeeds {
  /** The method that is meant where none is named: it offers every one of `tools`. */
  readonly method: string;
  /** Tools that the policy calls; without one of them it finds less, and says nothing of it. */
  readonly tools: readonly string[];
  /** Observing calls in an attempt. */
  readonly maxProbes: number;
  readonly budgets: Partial<Budgets>;
}

const needs: Readonly<Record<string, PolicyNeeds>> = {
  // It makes the calls of every fault of the catalogue, however many there are.
  "reference/expert": {
    method: "Player",
    tools: ["diff_since", "exec_shell", "get_events", "get_topology", "query_metrics", "wait"],
    maxProbes: 100,
    budgets: { probeRounds: 1000, toolCalls: 2000, tokens: 100_000_000 },
  },
};

/** What a model needs that is such a policy; undefined: it makes do with what every model gets. */
export function needsOf(model: string): PolicyNeeds | undefined {
  return Object.hasOwn(needs, model) ? needs[model] : undefined;
}

/** Observing calls in an attempt of a model: the request's, or else what the model needs, or the usual number. */
export function probesFor(model: string, { maxProbes }: Pick<ExperimentRequest, "maxProbes">): number {
  return maxProbes ?? needsOf(model)?.maxProbes ?? usualProbes;
}

/** What an episode of a model may use up: limit by limit the request's, or else what the model needs, or the usual one. */
export function budgetsFor(model: string, { budgets }: Pick<ExperimentRequest, "budgets">): Budgets {
  return Budgets.parse({ ...needsOf(model)?.budgets, ...budgets });
}
