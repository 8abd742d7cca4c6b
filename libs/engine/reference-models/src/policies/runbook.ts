import { alarmedAnswer, calmAnswer } from "../answers.ts";
import { checksOf } from "../health-checks.ts";
import type { Policy } from "../policy.ts";
import { shellMove } from "../shell-move.ts";
import { restart } from "./restart.ts";

/**
 * What an expert does: the runbook of the reported failure, after an observation if that is allowed, and a restart for a
 * failure without one. Asked, it goes through its health checks until one finds something.
 */
export const runbook: Policy = {
  repair(situation, library) {
    const { report, attempt, canProbe, observations } = situation;
    const { namespace, target, failure } = report;
    const known = library.find(({ name }) => name === failure)?.runbook;
    if (!known || target === undefined) return restart.repair(situation, library);
    if (canProbe && observations.length === 0) return { probe: known.observe({ namespace, target }) };
    const { title, commands } = known.act({ namespace, target, attempt, observations });
    return shellMove(title, commands);
  },
  answer({ answer, report, canProbe, observations }, library) {
    const checks = canProbe ? checksOf(report.namespace, library) : [];
    const [found] = checks.flatMap(({ findsIn }, index) => findsIn(observations[index] ?? "") ?? []);
    if (found) return { answer: alarmedAnswer(answer, found) };
    const next = checks[observations.length];
    return next ? { probe: next.command } : { answer: calmAnswer(answer) };
  },
};
