import { endNamed, type Offer, type OfferedEnd } from "./offer.ts";
import type { Answer } from "./progress.ts";

/** What a turn ends with. */
export interface HandedIn {
  readonly end: OfferedEnd;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The first valid call of an answer that ends the turn. */
export function calledIn(answer: Answer, offer: Offer): HandedIn | undefined {
  for (const call of answer.toolCalls) {
    const end = endNamed(offer, call.name);
    const argument = end?.read(call);
    if (end && argument && "value" in argument) return { end, arguments: argument.value };
  }
  return undefined;
}

/** What an answer holds in its text instead of in a tool call. */
export function writtenIn(answer: Answer, { ends }: Offer): HandedIn | undefined {
  for (const end of ends) {
    const args = end.accept(end.tool.handsIn.inText.read(answer.content));
    if (args !== undefined) return { end, arguments: args };
  }
  return undefined;
}
