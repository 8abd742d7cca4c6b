import type { ChatMessage, ToolCall } from "@microremed/contracts";
import { endNamed, type Offer, type OfferedEnd } from "./offer.ts";
import type { Turn } from "./turn.ts";
import { leftUndone, received } from "./words.ts";

/** The tool message that belongs to a call. */
export function toolMessage(call: ToolCall, content: string): Extract<ChatMessage, { role: "tool" }> {
  return { role: "tool", toolCallId: call.id, content };
}

/** Answers the calls of an answer that handed something in, so that no call stays without its tool message. */
export async function acknowledge(
  turn: Turn,
  pending: readonly ToolCall[],
  offer: Offer,
  handedIn: OfferedEnd,
): Promise<void> {
  if (pending.length === 0) return;
  const words = (call: ToolCall): string => {
    const end = endNamed(offer, call.name);
    if (end === undefined) return leftUndone(handedIn);
    const argument = end.read(call);
    return "problem" in argument ? argument.problem : received(end);
  };
  await turn.say(...pending.map((call) => toolMessage(call, words(call))));
}
