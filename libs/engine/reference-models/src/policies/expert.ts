import { isCall } from "@microremed/catalogue";
import { calmAnswer, foundAnswer } from "../answers.ts";
import { type Diagnosed, diagnose, diagnoseOften } from "../diagnose.ts";
import { idlePlaybook } from "../idle-playbook.ts";
import { knownOf } from "../known-of.ts";
import type { Library, Move, Policy, Situation } from "../policy.ts";
import { shellMove } from "../shell-move.ts";
import { runbook } from "./runbook.ts";

/**
 * Knows the evidence of every fault, and no incident: it makes the calls of all faults and answers, or repairs, by what they
 * show. Where nothing is found it pauses and asks again, for a fault may come and go; then it changes nothing. Where the
 * report names failure and service it follows that failure's runbook, with what its evidence shows.
 */
export const expert: Policy = {
  repair(situation, library) {
    const { failure, target } = situation.report;
    if (failure !== undefined && target !== undefined)
      return repairReported({ failure, target }, situation, library);
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

/** Objects of Chaos Mesh are found by their runbooks; what else is wrong, a runbook may have to know. */
function repairReported(
  { failure, target }: { readonly failure: string; readonly target: string },
  situation: Situation,
  library: Library,
): Move {
  const reported = library.filter(({ name, cause }) => name === failure && cause === undefined);
  const found = diagnose(situation, reported);
  if (isCall(found)) return { call: found };
  const there = found.filter(({ finding }) => finding.workload === target);
  if (found.length > 0) return repairOf(there.length > 0 ? there : found, situation);
  // Its calls showed nothing: their answers are no observations of a runbook.
  const hasAsked = situation.answers.size > 0;
  return runbook.repair(hasAsked ? { ...situation, canProbe: false, observations: [] } : situation, library);
}

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
