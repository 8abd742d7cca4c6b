import type { Solution } from "@microremed/catalogue";
import type { HandedIn } from "./handed-in.ts";
import { observationsIn } from "./observations.ts";
import type { Offer } from "./offer.ts";
import { readProgress } from "./progress.ts";
import type { Turn } from "./turn.ts";

type Ended<S> = S extends unknown ? Omit<S, "observations" | "usage" | "probes"> : never;

/** What came of the turn, without what it cost. */
export type Ending = Ended<Solution>;

/** What a turn hands in: an action, or an answer. */
export function handedInAs({ end, arguments: args }: HandedIn, source: "tool-call" | "text"): Ending {
  if (end.tool.kind === "submit") return { status: "submit", answer: args, source };
  return { status: "act", tool: end.tool.name, arguments: args, source };
}

/** What a turn cost, read from what was said in it. */
export function costOf(turn: Turn, offer: Offer): Pick<Solution, "observations" | "usage" | "probes"> {
  const said = turn.said();
  return {
    usage: turn.usage(),
    probes: readProgress(said, offer).probes,
    observations: observationsIn(said, offer),
  };
}
