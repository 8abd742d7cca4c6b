import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import type { ChatReply } from "./chat.types.ts";
import { createChatClient } from "./chat-client.ts";
import { completion, type ScriptedReply, startScriptedServer, streamed } from "./testing/index.ts";

const tools = ["probe_system", "print_playbook"].map((name) => ({ name, description: "", parameters: {} }));

async function ask(reply: ScriptedReply, stream: boolean, tries = 1): Promise<ChatReply> {
  await using server = await startScriptedServer([reply]);
  const client = createChatClient({
    baseUrl: server.url,
    apiKey: null,
    model: "m",
    stream,
    timeoutMs: 5_000,
    log: silentLogger,
    retry: { tries, firstWaitMs: 1 },
  });
  return await client.complete({ messages: [{ role: "user", content: "hi" }], tools });
}

const whatCounts = ({ content, toolCalls, reasoning, usage, exchange }: ChatReply) => ({
  content,
  toolCalls,
  reasoning,
  usage,
  finishReason: exchange.finishReason,
});

const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3 },
};
const answers: [string, ScriptedReply][] = [
  ["text", completion({ content: "Hello, wörld — 你好 🌍" }, { usage })],
  ["nothing", completion({ content: "" }, { usage })],
  ["text cut at the limit", completion({ content: "Hel" }, { usage, finishReason: "length" })],
  [
    "several calls beside text",
    completion(
      {
        content: "Looking.",
        toolCalls: [
          { id: "a", name: "probe_system", arguments: '{"command":"kubectl get pods"}' },
          { id: "b", name: "print_playbook", arguments: '{"playbook":"- hosts: all\\n  tasks: []\\n"}' },
        ],
      },
      { usage },
    ),
  ],
  ["broken arguments", completion({ toolCalls: [{ name: "probe_system", arguments: '{"comm' }] }, { usage })],
  ["a call in text", completion({ content: "Action: probe_system\nAction Input: {}" }, { usage })],
  ["no usage", completion({ content: "eight ch" }, { usage: null })],
];

test.each(answers)("an answer with %s is the same streamed and not", async (_name, reply) => {
  const whole = whatCounts(await ask(reply, false));
  for (const size of [1, 5, 1_000]) expect(whatCounts(await ask(streamed(reply, size), true))).toEqual(whole);
});

test("a server that streams without being asked, or does not though asked, is understood", async () => {
  const reply = completion({ content: "hi" });
  expect((await ask(streamed(reply, 3), false)).content).toBe("hi");
  expect((await ask(reply, true)).content).toBe("hi");
});

test("whole calls without an index are kept apart", async () => {
  const chunk = (name: string) => ({
    choices: [{ delta: { tool_calls: [{ id: `id-${name}`, function: { name, arguments: "{}" } }] } }],
  });
  const events = [chunk("probe_system"), chunk("print_playbook"), "[DONE]"];
  const body = events.map(
    (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`,
  );
  const reply = await ask({ kind: "body", body: body.join(""), contentType: "text/event-stream" }, true);
  expect(reply.toolCalls.map(({ id, name }) => `${id} ${name}`)).toEqual([
    "id-probe_system probe_system",
    "id-print_playbook print_playbook",
  ]);
});

test.each([
  [
    "cut in the middle",
    (body: string) => `${body.split("\n\n").slice(0, 4).join("\n\n")}\n\n`,
    "ended before its answer did",
  ],
  ["cut in an event", (body: string) => `${body.slice(0, 60)}\n\n`, "broken event"],
  ["with an error in it", () => 'data: {"error":{"message":"overloaded"}}\n\n', "overloaded"],
])("a stream %s is model-garbled, never an answer", async (_name, damage, words) => {
  const whole = streamed(completion({ content: "a long enough answer" }), 4);
  const body = damage(whole.kind === "body" ? whole.body : "");
  await expect(ask({ ...whole, body } as ScriptedReply, true)).rejects.toMatchObject({
    code: "model-garbled",
    message: expect.stringContaining(words),
  });
});
