import { expect, test } from "vitest";
import { createModels } from "./models.ts";
import { parseModelsFile } from "./models-file.ts";

const file = parseModelsFile(
  `models:
  big:
    baseUrl: https://api.example.com/v1
    apiKeyEnv: BIG_KEY
    model: big-2026
    dialect: azure
    prices: { input: 2, output: 8 }
    limits: { requestsPerMinute: 60, concurrency: 4 }
  local: { baseUrl: "http://localhost:8000/v1", parameters: { max_tokens: null } }
`,
  "models.yaml",
);
const referenceUrl = "http://127.0.0.1:1/v1";

test("resolves configured models with their key, id and parameters", () => {
  const models = createModels({ file, env: { BIG_KEY: "k" }, referenceUrl });
  expect(models.resolve("big")).toMatchObject({
    name: "big",
    baseUrl: "https://api.example.com/v1",
    apiKey: "k",
    model: "big-2026",
    ruleBased: false,
    dialect: "azure",
    prices: { input: 2, output: 8 },
    limits: { requestsPerMinute: 60, concurrency: 4 },
    temperature: 0,
    maxTokens: 8192,
  });
  expect(models.resolve("local")).toMatchObject({
    apiKey: null,
    model: "local",
    parameters: { max_tokens: null },
  });
  expect(models.names).toEqual([
    "reference/noop",
    "reference/random",
    "reference/restart",
    "reference/runbook",
    "big",
    "local",
  ]);
});

test("reference policies go to the reference endpoint and are marked as rule-based", () => {
  const models = createModels({ env: {}, referenceUrl, fallback: { baseUrl: "http://x/v1", apiKey: null } });
  expect(models.resolve("reference/noop")).toMatchObject({
    baseUrl: referenceUrl,
    ruleBased: true,
    apiKey: null,
  });
  expect(() => models.resolve("reference/magic")).toThrow('no model is called "reference/magic"');
});

test("any other name goes to the fallback, or is unknown with the known ones and the way to add it", () => {
  const fallback = { baseUrl: "http://x/v1", apiKey: "k" };
  expect(createModels({ env: {}, fallback }).resolve("gpt-9")).toMatchObject({ ...fallback, model: "gpt-9" });
  expect(() => createModels({ file, env: {} }).resolve("gpt-9")).toThrow(
    /no model is called "gpt-9"; known: "big" or "local"; add it to the models file .*OPENAI_BASE_URL/,
  );
});

test("a key whose variable is not set is named, never guessed", () => {
  expect(() => createModels({ file, env: {} }).resolve("big")).toThrow(
    "environment variable BIG_KEY, which is not set",
  );
});

test.each([
  ["models: [", "models.yaml is no YAML"],
  ["models: { a: { baseUrl: nonsense, apiKeyEnv: 'sk-123 x' } }", "Invalid URL"],
  ["models: { a: { baseUrl: 'http://x', key: 'sk-1' } }", "key"],
  ["- a", "expected object"],
  ["models: { a: { baseUrl: 'http://x', dialect: klingon } }", "dialect"],
])("a wrong models file is refused with the place: %s", (text, words) => {
  expect(() => parseModelsFile(text, "models.yaml")).toThrow(words);
});
