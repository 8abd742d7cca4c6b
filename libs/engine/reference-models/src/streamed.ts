import type { complete } from "./complete.ts";

/** A completion as the events of a stream: all that was said in one, then why it ended and what it cost. */
export function streamed({ choices, usage, ...completion }: ReturnType<typeof complete>): string {
  const chunks = choices.map(({ index, message, finish_reason }) => [
    { index, delta: withIndices(message), finish_reason: null },
    { index, delta: {}, finish_reason },
  ]);
  const events = chunks.flat().map((choice) => ({ choices: [choice], usage: null }));
  return [...events, { choices: [], usage }]
    .map((event) => JSON.stringify({ ...completion, object: "chat.completion.chunk", ...event }))
    .concat("[DONE]")
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

type Message = ReturnType<typeof complete>["choices"][number]["message"];

/** In a stream a call has its place in the list. */
function withIndices(message: Message) {
  if (!("tool_calls" in message)) return message;
  return { ...message, tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) };
}
