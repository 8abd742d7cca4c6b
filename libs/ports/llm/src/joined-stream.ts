import { clipMiddle, retryable } from "@microremed/core";
import { z } from "zod";

const Delta = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        id: z.string().nullish(),
        function: z
          .object({
            name: z.string().nullish(),
            arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});
type Delta = z.infer<typeof Delta>;
type CallDelta = NonNullable<Delta["tool_calls"]>[number];

const Chunk = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

interface JoinedCall {
  id: string | undefined;
  index: number | undefined;
  name: string;
  arguments: string;
  extra: Record<string, unknown>;
}

/** Whether a body is a stream of server-sent events, whatever its content type says. */
export function isStream(body: string, contentType: string): boolean {
  return contentType.includes("event-stream") || /^\s*(?::[^\n]*\s+)*data:/.test(body);
}

/**
 * A streamed answer as the one that would have come at once. Throws `model-garbled` when the stream ends before the
 * answer does.
 */
export function joinedStream(body: string): unknown {
  const message = { content: "", reasoning: "", refusal: "" };
  const calls: JoinedCall[] = [];
  let finishReason: string | undefined;
  let usage: unknown;
  let done = false;
  for (const data of eventsIn(body)) {
    if (data === "[DONE]") {
      done = true;
      break;
    }
    const chunk = chunkFrom(data);
    if (chunk.error) throw garbled(`has an error in its stream: ${JSON.stringify(chunk.error)}`);
    if (chunk.usage) usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    finishReason = choice.finish_reason ?? finishReason;
    const { delta } = choice;
    message.content += delta?.content ?? "";
    message.reasoning += delta?.reasoning_content ?? delta?.reasoning ?? "";
    message.refusal += delta?.refusal ?? "";
    for (const call of delta?.tool_calls ?? []) addCall(calls, call);
  }
  if (!done && finishReason === undefined) throw garbled("is a stream that ended before its answer did");
  const { content, reasoning, refusal } = message;
  return {
    choices: [
      {
        finish_reason: finishReason,
        message: { content, reasoning, refusal, tool_calls: calls.map(wireCall) },
      },
    ],
    usage,
  };
}

function* eventsIn(body: string): Iterable<string> {
  for (const line of body.split(/\r?\n/)) {
    if (line.startsWith("data:")) yield line.slice(5).trim();
  }
}

function chunkFrom(data: string): z.infer<typeof Chunk> {
  try {
    return Chunk.parse(JSON.parse(data));
  } catch {
    throw garbled(`has a broken event in its stream: ${clipMiddle(data, 300)}`);
  }
}

/** Pieces of one call share an index; some servers send whole calls without one, or all under the same. */
function addCall(calls: JoinedCall[], { index, id, function: part, type: _type, ...extra }: CallDelta): void {
  const args = part?.arguments ?? "";
  const piece = typeof args === "string" ? args : JSON.stringify(args);
  const known =
    typeof index === "number"
      ? calls.findLast((call) => call.index === index)
      : id
        ? undefined
        : calls.at(-1);
  if (known && (!id || !known.id || known.id === id)) {
    known.id ??= id ?? undefined;
    known.name ||= part?.name ?? "";
    known.arguments += piece;
    Object.assign(known.extra, extra);
    return;
  }
  calls.push({
    id: id ?? undefined,
    index: index ?? undefined,
    name: part?.name ?? "",
    arguments: piece,
    extra,
  });
}

function wireCall({ id, name, arguments: args, extra }: JoinedCall) {
  return { id, function: { name, arguments: args }, ...extra };
}

function garbled(what: string) {
  return retryable("model-garbled", `the endpoint's reply ${what}`);
}
