import { completion, type Script, type ScriptedReply, streamed } from "@microremed/llm/testing";
import { expect, test } from "vitest";
import { playTurn } from "./testing/play-turn.ts";

/** Everything that providers and models are known to do wrong, and what must come of it. */

const playbook = "- hosts: k3s_control_plane\n  tasks: []\n";
const print = { name: "print_playbook", arguments: JSON.stringify({ playbook }) };
const probe = { name: "probe_system", arguments: '{"command":"kubectl get pods"}' };
const good = completion({ toolCalls: [print] });
const status = (code: number, headers: Record<string, string> = {}, body = '{"error":{"message":"no"}}') =>
  ({ kind: "body", status: code, body, headers }) satisfies ScriptedReply;
const asStream = (reply: ScriptedReply): ScriptedReply =>
  reply.kind === "body" && reply.status === undefined && reply.contentType === undefined
    ? streamed(reply, 7)
    : reply;

const modes = [
  { mode: "at once", stream: false },
  { mode: "streamed", stream: true },
];

async function play(script: readonly ScriptedReply[], stream: boolean) {
  const ready: Script = stream ? script.map(asStream) : script;
  const turn = await playTurn(ready, { endpoint: { stream } }).catch((error: unknown) => ({ error }));
  return turn;
}

const repaired: [string, ScriptedReply[]][] = [
  [
    "a call in text as Action",
    [completion({ content: `Action: print_playbook\nAction Input: ${print.arguments}` })],
  ],
  [
    "a call in text in tags",
    [
      completion({
        content: `<tool_call>{"name":"print_playbook","arguments":${print.arguments}}</tool_call>`,
      }),
    ],
  ],
  ["several calls", [completion({ toolCalls: [probe, probe, print] })]],
  ["several probes", [completion({ toolCalls: [probe, { ...probe, id: "tool-0" }] }), good]],
  ["arguments as an object", [completion({ toolCalls: [{ ...print, arguments: { playbook } }] })]],
  ["bad JSON, then good", [completion({ toolCalls: [{ ...print, arguments: '{"playbook": "- ho' }] }), good]],
  [
    "an unknown tool, then a known one",
    [completion({ toolCalls: [{ name: "sudo", arguments: "{}" }] }), good],
  ],
  ["words, then a call", [completion({ content: "Let me see." }), good]],
  ["a playbook in words, twice", [completion({ content: `\`\`\`yaml\n${playbook}\`\`\`` })]],
  ["nothing, then a call", [completion({ content: "" }), good]],
  ["no usage", [completion({ toolCalls: [print] }, { usage: null })]],
  ["JSON under a wrong content type", [{ ...good, contentType: "text/plain" } as ScriptedReply]],
  ["408, then an answer", [status(408), good]],
  ["409, then an answer", [status(409), good]],
  ["429 with Retry-After, then an answer", [status(429, { "retry-after": "0.1" }), good]],
  ["429 without Retry-After, then an answer", [status(429), good]],
  ["500 with a page, then an answer", [status(500, {}, "<html>oops</html>"), good]],
  ["a hang-up, then an answer", [{ kind: "hang-up" }, good]],
  [
    "an answer cut in the middle, then a whole one",
    [{ kind: "cut", body: "data: {", contentType: "text/event-stream" }, good],
  ],
  ["rubbish, then an answer", [{ kind: "body", body: "\u0000\u0001" }, good]],
];
const inBothModes = <T extends readonly unknown[]>(cases: readonly T[]) =>
  modes.flatMap(({ mode, stream }) => cases.map((one) => [mode, stream, ...one] as const));

test.each(inBothModes(repaired))(
  "%s (stream: %s) %s ends in the playbook",
  async (_mode, stream, _name, script) => {
    expect(await play(script, stream)).toMatchObject({
      body: { status: "act", arguments: { playbook: expect.stringContaining("hosts") } },
    });
  },
);

const modelsFault: [string, ScriptedReply[], string][] = [
  ["no tool call", [completion({ content: "I would restart it." })], "neither a tool call"],
  ["empty content", [completion({ content: "" })], "empty"],
  ["a refusal", [refusal("I cannot help with that.")], "refused to answer"],
  ["a length cut", [completion({ content: "Well" }, { finishReason: "length" })], "cut at its limit"],
  [
    "a call cut at the length",
    [completion({ toolCalls: [{ ...print, arguments: '{"playbook": "- ho' }] }, { finishReason: "length" })],
    "no playbook within 7 model calls",
  ],
  ["a content filter", [completion({ content: "" }, { finishReason: "content_filter" })], "filter cut it"],
  ["bad JSON for ever", [completion({ toolCalls: [{ ...print, arguments: "{" }] })], "no playbook within"],
  [
    "an unknown tool for ever",
    [completion({ toolCalls: [{ name: "sudo", arguments: "{}" }] })],
    "no playbook within",
  ],
  ["probes for ever", [completion({ toolCalls: [probe] })], "no playbook within"],
  [
    "400 context too long",
    [status(400, {}, '{"error":{"message":"maximum context length is 8192 tokens"}}')],
    "context is used up",
  ],
];

test.each(inBothModes(modelsFault))(
  "%s (stream: %s) %s is the model's doing, with its reason",
  async (_mode, stream, _name, script, words) => {
    expect(await play(script, stream)).toMatchObject({
      body: { status: "nothing", reason: expect.stringContaining(words) },
    });
  },
);

test("a huge answer is the model's doing, too", async () => {
  const huge = [{ kind: "body", body: " ".repeat(1_100_000) }] as const;
  expect(await play(huge, false)).toMatchObject({
    body: { status: "nothing", reason: expect.stringContaining("larger than 1048576 bytes") },
  });
});

const notTheModels: [string, ScriptedReply[], unknown][] = [
  ["400", [status(400)], "model-refused"],
  [
    "401 that quotes the key",
    [status(401, {}, '{"error":{"message":"bad key sk-secret"}}')],
    "model-refused",
  ],
  ["404", [status(404)], "model-refused"],
  ["408 for ever", [status(408)], "model-overloaded"],
  ["409 for ever", [status(409)], "model-overloaded"],
  ["429 with Retry-After for ever", [status(429, { "retry-after": "0.1" })], "model-overloaded"],
  ["429 with a long Retry-After", [status(429, { "retry-after": "3600" })], "model-overloaded"],
  ["429 without Retry-After for ever", [status(429)], "model-overloaded"],
  ["503 for ever", [status(503)], "model-overloaded"],
  ["silence", [{ kind: "silence" }], "model-unreachable"],
  ["a slow drip", [{ kind: "drip", everyMs: 20 }], "model-unreachable"],
  ["a hang-up for ever", [{ kind: "hang-up" }], "model-unreachable"],
  [
    "an answer cut for ever",
    [{ kind: "cut", body: '{"choices"', contentType: "application/json" }],
    "model-unreachable",
  ],
  [
    "a stream without its end",
    [
      {
        kind: "body",
        body: 'data: {"choices":[{"delta":{"content":"- "}}]}\n\n',
        contentType: "text/event-stream",
      },
    ],
    "model-garbled",
  ],
  ["an HTML page", [{ kind: "body", body: "<html></html>", contentType: "text/html" }], "model-garbled"],
  ["no choices", [{ kind: "body", body: '{"choices":[]}' }], "model-garbled"],
];

test.each(inBothModes(notTheModels))(
  "%s (stream: %s) %s is never the model's failure",
  async (_mode, stream, _name, script, code) => {
    const { error } = (await play(script, stream)) as { error?: unknown };
    expect(error).toMatchObject({ code, message: expect.not.stringContaining("sk-secret") });
  },
);

test("usage of a turn is what the server reported, to the token, also when the turn was resumed", async () => {
  const usage = (prompt: number, completion: number, cached: number, reasoning: number) => ({
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  });
  const first = completion({ toolCalls: [probe] }, usage(1_001, 31, 0, 17));
  const second = completion({ toolCalls: [print] }, usage(1_203, 207, 1_001, 101));
  const endpoint = { prices: { input: 2, cachedInput: 0.5, output: 8 } };
  const whole = await playTurn([first, second], { endpoint });
  const expected = {
    calls: 2,
    promptTokens: 2_204,
    completionTokens: 238,
    cachedTokens: 1_001,
    reasoningTokens: 118,
    cost: expect.closeTo((1_001 * 2 + 31 * 8 + 202 * 2 + 1_001 * 0.5 + 207 * 8) / 1e6, 12),
  };
  expect(whole.body).toMatchObject({ usage: expected });
  const resumed = await playTurn([second], { endpoint, stored: whole.stored.slice(0, 4) });
  expect(resumed.requests).toHaveLength(1);
  expect(resumed.body).toMatchObject({ usage: expected });
});

test("a model without tools repairs by text, from the first probe to the playbook", async () => {
  const { body, probed, requests } = await playTurn(
    [
      completion({ content: "Thought: probe.\nAction: probe_system\nAction Input: kubectl get pods" }),
      completion({ content: `Action: print_playbook\nAction Input:\n\`\`\`yaml\n${playbook}\`\`\`` }),
    ],
    { endpoint: { toolCalling: "text" } },
  );
  expect(body).toMatchObject({
    status: "act",
    arguments: { playbook: expect.stringContaining("k3s_control_plane") },
    probes: 1,
  });
  expect(probed).toHaveLength(1);
  const [, second] = requests.map((request) => request.body);
  expect(second).not.toHaveProperty("tools");
  expect(second).toMatchObject({
    stop: ["\nObservation:"],
    messages: [
      { role: "system", content: expect.stringContaining("Action Input: <one JSON object") },
      { role: "user" },
      { role: "assistant", content: expect.stringContaining("Action: probe_system") },
      { role: "user", content: "Observation: exit code 0\nfine" },
    ],
  });
});

function refusal(words: string): ScriptedReply {
  const message = { role: "assistant", content: null, refusal: words };
  return { kind: "body", body: JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }) };
}
