import type { Solution } from "@microremed/catalogue";
import type { ChatMessage } from "@microremed/contracts";
import { acknowledge } from "./answer-call.ts";
import { readProgress } from "./progress.ts";
import { handedInAs } from "./solution.ts";
import { openTurn, type Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";

/** A turn of a person, who hands in a playbook. */
export async function takeByHand(context: TurnContext, opening: readonly ChatMessage[]): Promise<Solution> {
  const { offer, budgets } = context;
  const turn = await openTurn(context, opening);
  const answered = readProgress(turn.said(), offer).calls > 0 || (await takeOne(turn, context));
  const { pending, handedIn } = readProgress(turn.said(), offer);
  if (handedIn !== undefined) {
    await acknowledge(turn, pending, offer, handedIn.end);
    return handedInAs(handedIn, "tool-call", context);
  }
  if (answered) {
    return { status: "nothing", reason: "what the person handed in was no playbook" };
  }
  return {
    status: "nothing",
    exhausted: "seconds",
    reason: `no playbook was submitted within ${budgets.seconds} s`,
  };
}

async function takeOne(turn: Turn, context: TurnContext): Promise<boolean> {
  const { attempt, playbook: given, budgets, awaitPlaybook, offer } = context;
  const name = offer.ends.find(({ tool }) => tool.kind === "act")?.spec.name ?? "";
  const take = (playbook: string): Promise<void> =>
    turn.say({
      role: "assistant",
      content: "",
      toolCalls: [{ id: `by-hand-${attempt}`, name, arguments: JSON.stringify({ playbook }) }],
    });
  if (given === null) return awaitPlaybook(budgets.seconds, take);
  await take(given);
  return true;
}
