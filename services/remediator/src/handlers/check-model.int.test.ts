import { silentLogger } from "@microremed/core";
import { createModels, parseModelsFile } from "@microremed/llm";
import { createChatClient } from "@microremed/llm/chat-client";
import { completion, type Script, startScriptedServer } from "@microremed/llm/testing";
import { expect, test } from "vitest";
import { createRecordedJudge } from "../recorded-judge.ts";
import { checkModel } from "./check-model.ts";

/** Checks a model whose endpoint answers so; `gpt` has a key, `reference/noop` is of rules. */
async function check(script: Script, { model = "gpt", recorded = false, configured = false } = {}) {
  await using server = await startScriptedServer(script);
  const file = parseModelsFile(
    JSON.stringify({ models: { gpt: { baseUrl: server.url, apiKeyEnv: "KEY" } } }),
    "models.yaml",
  );
  const models = createModels({ file, env: { KEY: "sk-secret" }, referenceUrl: "http://127.0.0.1:9/v1" });
  const reply = await checkModel(
    { model, timeoutSeconds: 5, configured },
    {
      models,
      recorded: recorded ? createRecordedJudge([]) : undefined,
      connectModel: (endpoint, { timeoutMs }) =>
        createChatClient({
          ...endpoint,
          timeoutMs,
          log: silentLogger,
          retry: { tries: 1, firstWaitMs: 1 },
        }),
    },
  );
  return { reply, asked: server.requests, url: server.url };
}

test("a model that answers is asked once, with a tool and the settings of a turn", async () => {
  const { reply, asked, url } = await check([completion({ content: "ok" })]);
  expect(reply).toEqual({ trouble: null, endpoint: url });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.body).toMatchObject({ model: "gpt", temperature: 0, tools: [{ type: "function" }] });
});

test("a refusal has its endpoint and cause, and not the key", async () => {
  const body = '{"error":{"message":"bad key sk-secret"}}';
  const { reply, url } = await check([{ kind: "body", status: 401, body }]);
  expect(reply).toMatchObject({
    endpoint: url,
    trouble: { code: "model-refused", details: { status: 401 } },
  });
  expect(reply.trouble?.message).toMatch(/bad key .*check the API key/);
  expect(JSON.stringify(reply)).not.toContain("sk-secret");
});

test("an unknown model is sent nowhere; rules and recordings are not asked", async () => {
  const unknown = await check([completion({ content: "ok" })], { model: "gtp" });
  expect(unknown.reply).toMatchObject({ endpoint: null, trouble: { code: "unknown-model" } });
  expect(unknown.asked).toEqual([]);
  const rules = await check([], { model: "reference/noop" });
  expect(rules.reply.trouble).toBeNull();
  const listed = await check([], { configured: true });
  expect(listed.reply.trouble).toBeNull();
  expect(listed.asked).toEqual([]);
  const recorded = await check([], { recorded: true });
  expect(recorded.reply.trouble).toBeNull();
  expect(recorded.asked).toEqual([]);
});
