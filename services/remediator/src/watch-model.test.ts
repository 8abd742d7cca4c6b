import { retryable } from "@microremed/core";
import { createModels } from "@microremed/llm";
import { createMetrics, noTracing, type SpanAttributes, type Tracing } from "@microremed/service-kit";
import { expect, test } from "vitest";
import { createWatchModel } from "./watch-model.ts";

const fallback = { baseUrl: "https://models.example/v1", apiKey: "sk-canary" };
const endpoint = createModels({ env: {}, fallback }).resolve("gpt-x");

const answers = {
  model: "gpt-x",
  complete: async (_: object) => ({
    content: "the answer",
    usage: { promptTokens: 7, completionTokens: 3 },
    exchange: { finishReason: "stop", failedTries: [] },
  }),
};

const fails = {
  model: "gpt-x",
  complete: async (_: object): Promise<never> => {
    throw retryable("model-overloaded", "slow down");
  },
};

const question = { messages: [{ role: "user", content: "the question" }] };

test("counts calls, tokens and time per model, and errors by their code", async () => {
  const metrics = createMetrics("tester");
  const watch = createWatchModel(metrics, noTracing);
  await watch(answers, endpoint).complete(question);
  await watch(answers, endpoint).complete(question);
  await expect(watch(fails, endpoint).complete(question)).rejects.toThrow("slow down");
  const text = await metrics.registry.metrics();
  for (const line of [
    'microremed_model_calls_total{model="gpt-x",outcome="ok",service="tester"} 2',
    'microremed_model_calls_total{model="gpt-x",outcome="model-overloaded",service="tester"} 1',
    'microremed_model_tokens_total{model="gpt-x",direction="input",service="tester"} 14',
    'microremed_model_tokens_total{model="gpt-x",direction="output",service="tester"} 6',
    'microremed_model_call_duration_seconds_count{service="tester",model="gpt-x"} 3',
  ])
    expect(text).toContain(line);
});

test("a call's span has OpenTelemetry's names, and nothing of what was said or of the key", async () => {
  const seen: { name: string; attributes: SpanAttributes }[] = [];
  const tracing: Tracing = {
    ...noTracing,
    within: (name, { attributes = {} }, work) => {
      const span = { name, attributes: { ...attributes } };
      seen.push(span);
      return work({ set: (more) => Object.assign(span.attributes, more), fail: () => {} });
    },
  };
  await createWatchModel(createMetrics("tester"), tracing)(answers, endpoint).complete(question);
  expect(seen).toEqual([
    {
      name: "chat gpt-x",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.response.finish_reasons": ["stop"],
        "microremed.failed_tries": 0,
        "server.address": "models.example",
        "server.port": 443,
        "microremed.rule_based": false,
      },
    },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/canary|the (question|answer)/);
});
