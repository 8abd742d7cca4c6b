import type { AgentContext } from "@microremed/catalogue";
import { z } from "zod";
import { AgentMistake } from "./agent-mistake.ts";
import { openingOf } from "./from-agent.ts";
import { observe } from "./observe.ts";
import { type Offer, specsOf } from "./offer.ts";
import { readProgress } from "./progress.ts";
import { openTurn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnOver } from "./turn-over.ts";

type Question = Required<Parameters<AgentContext["consult"]>[0]>;

const Asked = z.object({
  name: z.string().min(1).max(60),
  opening: z.unknown(),
  observing: z.boolean().default(false),
});

/** A question as an agent's code asks it. Throws AgentMistake. */
export function questionOf(given: unknown): Question {
  const parsed = Asked.safeParse(given);
  if (parsed.success) return { ...parsed.data, opening: openingOf(parsed.data.opening) };
  const [issue] = parsed.error.issues;
  throw new AgentMistake(`consult was asked wrongly: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Model calls beyond the observations: words, and two answers with nothing usable in them. */
const spareCalls = 3;

/**
 * A conversation of its own with the model, beside that of the turn. It ends with the first answer in words, which is
 * returned; changing something is not offered in it. Throws what ends the turn when a budget has run out.
 */
export async function consult(context: TurnContext, { name, opening, observing }: Question): Promise<string> {
  const { attempt, offer, arena, maxProbes } = context;
  const reading: Offer = {
    observers: observing ? offer.observers.filter(({ tool }) => tool.rights !== "write") : [],
    ends: [],
  };
  const beside = { ...context, offer: reading, arena: { ...arena, mayAct: false } };
  const turn = await openTurn(beside, opening, `${name}, attempt ${attempt}`);
  const most = observing ? maxProbes + spareCalls : 1;
  for (;;) {
    context.signal.throwIfAborted();
    const progress = readProgress(turn.said(), reading);
    const { pending, calls, lastAnswer } = progress;
    if (pending.length > 0) {
      await observe(turn, progress, beside);
      continue;
    }
    if (lastAnswer && (lastAnswer.toolCalls.length === 0 || calls >= most)) return lastAnswer.content;
    const ranOut = await turn.ask(specsOf(reading, { observing: maxProbes > 0 }));
    if (ranOut) throw new TurnOver({ status: "nothing", ...ranOut });
  }
}
