import type { Solution } from "@microremed/catalogue";
import type { HandedIn } from "./handed-in.ts";
import { observationsIn } from "./observations.ts";
import type { Offer } from "./offer.ts";
import { readProgress } from "./progress.ts";
import { type Turn, usageOf } from "./turn.ts";

type Ended<S> = S extends unknown ? Omit<S, "observations" | "usage" | "probes"> : never;

/** What came of the turn, without what it cost. */
export type Ending = Ended<Solution>;

/** What a turn hands in: an action, or an answer. */
export function handedInAs(
  { end, arguments: args }: HandedIn,
  source: "tool-call" | "text",
  task: { readonly isAnswered: boolean },
): Ending {
  if (end.tool.kind === "submit" && !task.isAnswered)
    return { status: "done", reason: "the agent submitted: it has done what it will do" };
  if (end.tool.kind === "submit") return { status: "submit", answer: args, source };
  return { status: "act", tool: end.tool.name, arguments: args, source };
}

/** What a turn cost, read from what was said in it since its last action: what was before is in that action's step. */
export function costOf(turn: Turn, offer: Offer): Pick<Solution, "observations" | "usage" | "probes"> {
  const all = turn.said();
  const said = all.slice(all.findLastIndex((message) => message.role === "tool" && message.acted) + 1);
  return {
    usage: usageOf(said),
    probes: readProgress(said, offer).probes,
    observations: observationsIn(said, offer),
  };
}
