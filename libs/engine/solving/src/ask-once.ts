import type { Solution } from "@microremed/catalogue";
import type { ChatMessage } from "@microremed/contracts";
import { acknowledge, toolMessage } from "./answer-call.ts";
import { writtenIn } from "./handed-in.ts";
import { whyNothing } from "./nothing-handed-in.ts";
import { endNamed, specsOf } from "./offer.ts";
import { type Progress, readProgress } from "./progress.ts";
import { handedInAs } from "./solution.ts";
import { openTurn, type Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { unknownTool } from "./words.ts";

/** A turn of one question and one answer, in which nothing can be observed. */
export async function askOnce(context: TurnContext, opening: readonly ChatMessage[]): Promise<Solution> {
  const { offer } = context;
  const turn = await openTurn(context, opening);
  const asked = readProgress(turn.said(), offer).calls > 0;
  const ranOut = asked ? undefined : await turn.ask(specsOf(offer, { observing: false }));
  if (ranOut) return { status: "nothing", ...ranOut };
  const progress = readProgress(turn.said(), offer);
  await settle(turn, progress, context);
  return endingOf(progress, context);
}

/** There is no second call, but a stored conversation with unanswered calls would be of no use to anybody. */
async function settle(turn: Turn, progress: Progress, { offer }: TurnContext): Promise<void> {
  const { pending, handedIn } = progress;
  if (handedIn !== undefined) return acknowledge(turn, pending, offer, handedIn.end);
  const messages = pending.map((call) => {
    const argument = endNamed(offer, call.name)?.read(call);
    const words =
      argument && "problem" in argument
        ? argument.problem
        : unknownTool(call.name, specsOf(offer, { observing: false }));
    return toolMessage(call, words);
  });
  if (messages.length > 0) await turn.say(...messages);
}

function endingOf({ handedIn, lastAnswer }: Progress, context: TurnContext): Solution {
  const { offer } = context;
  if (handedIn !== undefined) return handedInAs(handedIn, "tool-call", context);
  if (!lastAnswer) return { status: "nothing", reason: "the model was not asked" };
  const written = writtenIn(lastAnswer, offer);
  if (written !== undefined) return handedInAs(written, "text", context);
  return { status: "nothing", reason: whyNothing(lastAnswer, offer) };
}
