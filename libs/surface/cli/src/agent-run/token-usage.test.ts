import { expect, test } from "vitest";
import { createUsageReader, usageIn } from "./token-usage.ts";

test("answers of every provider say their tokens", () => {
  expect(
    usageIn({
      usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
    }),
  ).toEqual({ promptTokens: 10, completionTokens: 3, cachedTokens: 4, reasoningTokens: 0 });
  expect(
    usageIn({ usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 2 } }),
  ).toMatchObject({ promptTokens: 15, completionTokens: 2, cachedTokens: 5 });
  expect(usageIn({ type: "message_start", message: { usage: { input_tokens: 7 } } })).toMatchObject({
    promptTokens: 7,
  });
  expect(usageIn({ response: { usage: { input_tokens: 9, output_tokens: 1 } } })).toMatchObject({
    promptTokens: 9,
    completionTokens: 1,
  });
  expect(
    usageIn({ usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, thoughtsTokenCount: 3 } }),
  ).toMatchObject({ promptTokens: 8, completionTokens: 5, reasoningTokens: 3 });
});

test("what says nothing of tokens, or says it wrongly, counts as nothing", () => {
  for (const answer of [undefined, null, 7, "text", [], {}, { usage: null }, { usage: "many" }])
    expect(usageIn(answer)).toBeUndefined();
  expect(usageIn({ usage: { prompt_tokens: -5, completion_tokens: "7" } })).toMatchObject({
    promptTokens: 0,
    completionTokens: 0,
  });
});

test("of a stream, in whatever pieces it comes, the largest count holds", () => {
  const events = [
    'data: {"message":{"usage":{"input_tokens":12,"output_tokens":1}}}',
    'data: {"usage":{"output_tokens":5}}',
    "data: not json",
    ": a comment",
    'data: {"usage":{"output_tokens":9}}',
    "data: [DONE]",
  ].join("\n\n");
  for (const size of [1, 7, 1_000]) {
    const reader = createUsageReader();
    reader.begin(true);
    for (let at = 0; at < events.length; at += size) reader.add(events.slice(at, at + size));
    reader.end();
    expect(reader.total(400)).toMatchObject({ promptTokens: 12, completionTokens: 9 });
  }
});

test("what is not said is estimated, of a stream that is broken off too", () => {
  const stream = createUsageReader();
  stream.begin(true);
  stream.add('data: {"message":{"usage":{"input_tokens":12,"output_tokens":1}}}\n\n');
  stream.add('data: {"delta":"a"}\n\ndata: {"delta":"b"}\n\ndata: {"del');
  expect(stream.total(400)).toMatchObject({ promptTokens: 12, completionTokens: 3 });
  const silent = createUsageReader();
  expect(silent.total(400)).toMatchObject({ promptTokens: 100, completionTokens: 0 });
  silent.add('{"choices":[]}..');
  silent.end();
  expect(silent.total(400)).toMatchObject({ promptTokens: 100, completionTokens: 4 });
  expect(silent.total(null)).toMatchObject({ promptTokens: 0, completionTokens: 0 });
});
