import type { ChatMessage } from "@microremed/contracts";
import { expect, test } from "vitest";
import { withinTokens } from "./within-tokens.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
/** An answer with one call, and what came back: 100 tokens. */
const step = (id: string): ChatMessage[] => [
  { role: "assistant", content: "x".repeat(200), toolCalls: [{ id, name: "t", arguments: "" }] },
  { role: "tool", toolCallId: id, content: "y".repeat(200) },
];
const opening = [user("z".repeat(400))];
const all = [...opening, ...step("a"), ...step("b"), ...step("c")];

test.each([
  [null, all],
  [400, all],
  [399, [...opening, ...step("b"), ...step("c")]],
  [300, [...opening, ...step("b"), ...step("c")]],
  [200, [...opening, ...step("c")]],
  [1, [...opening, ...step("c")]],
])("of 400 tokens at most %s are sent, opening and calls with their answers whole", (tokens, sent) => {
  expect(withinTokens(all, tokens)).toEqual(sent);
});
