import { readdirSync } from "node:fs";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import type { ChatClientOptions } from "../chat.types.ts";
import { createChatClient } from "../chat-client.ts";
import { completion, startScriptedServer } from "../testing/index.ts";
import { dialectNames } from "./registry.ts";

/** What a dialect sends beyond model, messages and temperature. */
async function sentBy(options: Partial<ChatClientOptions>) {
  await using server = await startScriptedServer([completion({ content: "hi" })]);
  const client = createChatClient({
    baseUrl: server.url,
    apiKey: "sk-1",
    model: "m",
    timeoutMs: 5_000,
    log: silentLogger,
    ...options,
    ...(options.baseUrl !== undefined && { baseUrl: server.url.replace("/v1", options.baseUrl) }),
  });
  await client.complete({ messages: [{ role: "user", content: "hi" }] });
  const { path = "", headers = {}, body = {} } = server.requests[0] ?? {};
  const { model: _model, messages: _messages, temperature: _temperature, ...fields } = body;
  return { path, headers, fields };
}

test("every file of a dialect is registered under its name", () => {
  const files = readdirSync(new URL(".", import.meta.url))
    .filter((name) => !/^(dialect|registry)\.ts$|\.test\.ts$/.test(name))
    .map((name) => name.replace(".ts", ""));
  expect([...dialectNames].sort()).toEqual(files.sort());
});

test.each(dialectNames)("%s sends nothing about reasoning unless it is set", async (dialect) => {
  const { fields } = await sentBy({ dialect });
  const limit = dialect === "openai" || dialect === "azure" ? "max_completion_tokens" : "max_tokens";
  expect(fields).toEqual({ [limit]: 8192 });
});

test.each([
  ["compatible", "off", { reasoning_effort: "none" }],
  ["openai", "on", { reasoning_effort: "medium" }],
  ["azure", "high", { reasoning_effort: "high" }],
  ["gemini", "low", { reasoning_effort: "low" }],
  ["ollama", "off", { reasoning_effort: "none" }],
  ["anthropic", "off", { thinking: { type: "disabled" } }],
  ["anthropic", "on", { thinking: { type: "enabled", budget_tokens: 4096 } }],
  ["deepseek", "off", { thinking: { type: "disabled" } }],
  ["deepseek", "high", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
  ["dashscope", "off", { enable_thinking: false }],
  ["dashscope", "low", { enable_thinking: true, thinking_budget: 2048 }],
  ["openrouter", "on", { reasoning: { enabled: true } }],
  ["openrouter", "low", { reasoning: { effort: "low" } }],
  ["vllm", "off", { chat_template_kwargs: { enable_thinking: false, thinking: false } }],
] as const)("%s with reasoning %s", async (dialect, reasoning, expected) => {
  const { fields } = await sentBy({ dialect, reasoning });
  expect(fields).toMatchObject(expected);
});

test("Azure's deployments are a part of the path, with version and key where Azure wants them", async () => {
  const old = await sentBy({ dialect: "azure", apiVersion: "2024-10-21", baseUrl: "" });
  expect(old.path).toBe("/openai/deployments/m/chat/completions?api-version=2024-10-21");
  expect(old.headers["api-key"]).toBe("sk-1");
  expect(old.headers.authorization).toBeUndefined();
  const v1 = await sentBy({ dialect: "azure", baseUrl: "/openai/v1/" });
  expect(v1.path).toBe("/openai/v1/chat/completions");
});

test("parameters of the models file go over everything, and null leaves a field out", async () => {
  const { fields } = await sentBy({ parameters: { max_tokens: null, top_p: 0.9 }, reasoning: "off" });
  expect(fields).toEqual({ top_p: 0.9, reasoning_effort: "none" });
});
