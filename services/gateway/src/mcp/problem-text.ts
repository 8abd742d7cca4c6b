import type { TurnView } from "@microremed/contracts";
import type { Next, Previous } from "../sessions/next-problem.ts";

/** What a worker is to do, in words for a model. */
export function nextText(next: Next): string {
  const before = next.previous === undefined ? [] : [previousText(next.previous)];
  switch (next.status) {
    case "problem":
      return [...before, problemText(next.view)].join("\n\n");
    case "waiting":
      return [...before, "The next problem is not there yet: call next_problem again."].join("\n\n");
    case "done":
      return [
        ...before,
        `No problem is left: ${next.done} of ${next.episodes} have ended. There is nothing more to do.`,
      ].join("\n\n");
    default:
      return next satisfies never;
  }
}

function previousText({ outcome, reason }: Previous): string {
  const said = [outcome, reason].filter((one) => one !== null && one !== undefined);
  return `The problem before has ended${said.length === 0 ? "" : `: ${said.join("; ")}`}.`;
}

/** A turn's words, and what the agent may use up. */
export function problemText({
  words,
  turn,
  maxAttempts,
  maxProbes,
  mayAct,
  calls,
  ...rest
}: TurnView): string {
  // After an answer that is final no other attempt follows.
  const attempt = rest.submitIsFinal
    ? `Attempt ${turn.attempt}`
    : `Attempt ${turn.attempt} of ${maxAttempts}`;
  const limits = `at most ${maxProbes} calls that observe${mayAct ? "; commands that change something are allowed" : ""}`;
  const made = calls === 0 ? "" : ` ${calls} calls have been made already.`;
  const end = rest.submitIsFinal ? "What you submit is final. " : "";
  return `${words}\n\n${attempt}, ${limits}.${made} ${end}Call submit to end it, then next_problem.`;
}
