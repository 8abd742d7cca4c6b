import { parseConfig } from "@microremed/service-kit";
import { expect, test } from "vitest";
import { remediatorConfig } from "./config.ts";
import { openModels } from "./open-models.ts";

const open = (env: Record<string, string>) => openModels(parseConfig(remediatorConfig, env), env);

test("takes all models and 16 turns by default, or the models of a list", () => {
  expect(parseConfig(remediatorConfig, {})).toEqual({
    ...{ CATALOGUE_DIRS: [], MODELS: ["*"], CONCURRENCY: 16, SESSIONS: 1000, SESSION_IDLE_SECONDS: 120 },
  });
  expect(parseConfig(remediatorConfig, { MODELS: "a, reference/noop" }).MODELS).toEqual([
    "a",
    "reference/noop",
  ]);
});

test.each([",a", "a,,b"])("refuses MODELS=%s and says what is wanted", (MODELS) => {
  expect(() => parseConfig(remediatorConfig, { MODELS })).toThrow("MODELS");
});

test("a key alone means OpenAI's own endpoint, and is known as a secret", async () => {
  const { models, secrets } = await open({ OPENAI_API_KEY: "sk-1" });
  expect(models.resolve("gpt-9")).toMatchObject({ baseUrl: "https://api.openai.com/v1", apiKey: "sk-1" });
  expect(secrets).toEqual(["sk-1"]);
});

test("without any endpoint every model is unknown", async () => {
  const { models } = await open({});
  expect(() => models.resolve("gpt-9")).toThrow("there is none");
});

test("a models file that cannot be read is named", async () => {
  await expect(open({ MICROREMED_MODELS_FILE: "/nowhere/models.yaml" })).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringContaining("/nowhere/models.yaml"),
  });
});
