import { endNamed, type Offer } from "./offer.ts";
import type { Answer } from "./progress.ts";
import { endNames, wantedInText } from "./words.ts";

/** Ends of an answer that explain something, by the provider's name for them. */
const notes: Readonly<Record<string, string>> = {
  length: "it was cut at its limit of tokens",
  content_filter: "its provider's filter cut it",
  refusal: "the model refused to answer",
};

/** Why an answer hands in nothing, in words for the report. */
export function whyNothing(answer: Answer, offer: Offer): string {
  const note = notes[answer.exchange?.finishReason ?? ""];
  return note === undefined ? problem(answer, offer) : `${problem(answer, offer)}; ${note}`;
}

function problem(answer: Answer, offer: Offer): string {
  if (answer.toolCalls.length === 0) {
    return answer.content.trim() === ""
      ? "the model's answer was empty"
      : `the model's answer held neither a tool call nor ${wantedInText(offer)}`;
  }
  for (const call of answer.toolCalls) {
    const argument = endNamed(offer, call.name)?.read(call);
    if (argument && "problem" in argument) return `${call.name} was called wrongly. ${argument.problem}`;
  }
  const names = answer.toolCalls.map((call) => call.name.slice(0, 50)).slice(0, 5);
  return `the model did not call ${endNames(offer)} but ${names.join(", ")}`;
}
