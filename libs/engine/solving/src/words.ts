import type { Offer, OfferedEnd } from "./offer.ts";

const names = ({ ends }: Offer): string => ends.map(({ spec }) => spec.name).join(" or ");

/** For an answer without any tool call. */
export const reminder = ({ ends }: Offer): string =>
  `Your answer called no tool, so nothing happened. Answer with a tool call: ${ends.map(({ tool }) => tool.handsIn.usage).join(" or ")}.`;

/** For a call whose budget is used up. */
export const notRun = (usedUp: string, offer: Offer): string =>
  `Not run: ${usedUp} are used. ${offer.ends.length === 0 ? "Answer in words" : `Call ${names(offer)}`} now.`;

/** For a call that names no tool of the offer. */
export function unknownTool(name: string, offered: readonly { readonly name: string }[]): string {
  const known = offered.map((tool) => tool.name).join(", ");
  return `Error: there is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${known}.`;
}

export const received = ({ tool }: OfferedEnd): string => `The ${tool.handsIn.noun} was received.`;

/** For what was called beside a call that ended the turn. */
export const leftUndone = ({ tool }: OfferedEnd): string =>
  `Not run: ${withArticle(tool.handsIn.noun)} was handed in.`;

/** What a turn must end with. */
export const wanted = ({ ends }: Offer): string => ends.map(({ tool }) => tool.handsIn.noun).join(" or ");

export const wantedInText = ({ ends }: Offer): string =>
  ends.map(({ tool }) => tool.handsIn.inText.form).join(" nor ");

export const endNames = names;

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
