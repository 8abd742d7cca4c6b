import { isCall } from "@microremed/catalogue";
import { calmAnswer, foundAnswer } from "../answers.ts";
import { type Diagnosed, diagnoseOften } from "../diagnose.ts";
import { idlePlaybook } from "../idle-playbook.ts";
import { knownOf } from "../known-of.ts";
import type { Move, Policy, Situation } from "../policy.ts";
import { shellMove } from "../shell-move.ts";
import { runbook } from "./runbook.ts";

/**
 * Knows the evidence of every fault, and no incident: it makes the calls of all faults and answers, or repairs, by what they
 * show. Where nothing is found it pauses and asks again, for a fault may come and go; then it changes nothing. Where the
 * report names failure and service it follows the runbook.
 */
export const expert: Policy = {
  repair(situation, library) {
    const { failure, target } = situation.report;
    if (failure !== undefined && target !== undefined) return runbook.repair(situation, library);
    const found = diagnoseOften(situation, library);
    return isCall(found) ? { call: found } : repairOf(found, situation);
  },
  answer(situation, library) {
    const found = diagnoseOften(situation, library);
    if (isCall(found)) return { call: found };
    return {
      answer:
        found.length === 0
          ? calmAnswer(situation.answer)
          : foundAnswer(
              situation.answer,
              found.map(({ finding }) => knownOf(finding)),
            ),
    };
  },
};

/**
 * The runbooks of all that was found, one after the other. Faults with the same evidence may share one: it is followed once, for a
 * rollout that is undone twice is as it was.
 */
function repairOf(found: readonly Diagnosed[], { report: { namespace }, attempt }: Situation): Move {
  const all = found.flatMap(({ fault: { runbook: known }, finding }) => {
    if (!known) return [];
    return [known.act({ namespace, target: finding.workload, attempt, observations: [], finding })];
  });
  const steps = [...Map.groupBy(all, ({ commands }) => commands.join("\n")).values()].flatMap(
    ([one]) => one ?? [],
  );
  if (steps.length === 0) return { playbook: idlePlaybook("this policy has found nothing to repair") };
  return shellMove(
    steps.map(({ title }) => title).join("; "),
    steps.flatMap(({ commands }) => commands),
  );
}
