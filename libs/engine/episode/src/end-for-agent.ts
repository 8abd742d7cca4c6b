import { type EndStep, type EpisodeRecord, endSteps, submitTool, type TurnEnd } from "@microremed/contracts";
import { givenBackCode } from "./conclude.ts";
import { attemptNumber } from "./steps.ts";

const uncounted = "which does not count against the agent";

/**
 * How the last turn of an episode ended, or why no turn follows, in words that its agent may read: nothing of a grade, a cause or an
 * error of the range is in them. Undefined: the turn goes on.
 */
export function endForAgent(record: EpisodeRecord): TurnEnd | undefined {
  const { state, outcome, error, steps, reason } = record;
  const isOver = outcome !== null || state === "done";
  const attempt = attemptNumber(record);
  const step = endSteps(steps).findLast((one) => one.attempt === attempt);
  if (!isOver && !step) return undefined;
  switch (outcome) {
    case "cancelled":
      return over(reason ?? "the experiment was cancelled");
    case "injection-failed":
      return over(`the problem could not be set up, ${uncounted}`);
    case "harness-error":
      return over(`the range failed, ${uncounted}`);
    default:
      break;
  }
  if (error?.code === givenBackCode)
    return over(isOver ? error.message : `${error.message}; it begins again later`);
  if (error && !isOver) return over(`the range failed, ${uncounted}; the problem begins again`);
  // An error that ended an episode with an outcome of the agent's: see `hasLetExpire`.
  if (error) return over("the time of the problem has run out: too much of it was used up");
  return step ? endOf(step) : over("no turn followed");
}

function endOf(step: EndStep): TurnEnd {
  if (step.kind === "act") return { how: "acted", reason: "the playbook was handed in" };
  if (step.tool === submitTool) return { how: "submitted", reason: "it was submitted" };
  return over(step.reason ?? "the turn ended without an answer");
}

const over = (reason: string): TurnEnd => ({ how: "over", reason });
