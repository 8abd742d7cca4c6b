import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dialectNames } from "./dialects/registry.ts";
import { stateSettings } from "./model-settings.ts";
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
    "reference/expert",
    "reference/learned",
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
    /no model is called "gpt-9" \(add it to the models file .*; known: "big" or "local"/,
  );
  expect(() => createModels({ env: {} }).resolve("gpt-9")).toThrow(
    /add it .*OPENAI_BASE_URL.*; there is none/,
  );
});

test("with a models file a name that it lacks is unknown, and no other endpoint's key goes out for it", () => {
  const fallback = { baseUrl: "https://api.openai.com/v1", apiKey: "sk-other" };
  const models = createModels({ file, env: { BIG_KEY: "k" }, referenceUrl, fallback });
  expect(() => models.resolve("bgi")).toThrow(/no model is called "bgi".*no other model is called/);
  expect(models.wildcard).toBe(false);
  expect(models.resolve("big").apiKey).toBe("k");
});

test("a key whose variable is not set is named, never guessed", () => {
  expect(() => createModels({ file, env: {} }).resolve("big")).toThrow(
    "environment variable BIG_KEY, which is not set",
  );
});

test.each([
  ["models: [", "models.yaml is no YAML"],
  ["models: { a: { baseUrl: nonsense, apiKeyEnv: 'sk-123 x' } }", "expected a text that is a URL"],
  ["models: { a: { baseUrl: 'http://x', key: 'sk-1' } }", "key"],
  ["- a", "expected an object"],
  ["models: { a: { baseUrl: 'http://x', dialect: klingon } }", "dialect"],
])("a wrong models file is refused with the place: %s", (text, words) => {
  expect(() => parseModelsFile(text, "models.yaml")).toThrow(words);
});

test("the example of a models file is one, with every dialect in it", () => {
  const path = new URL("../../../../docs/examples/models.yaml", import.meta.url);
  const { models } = parseModelsFile(readFileSync(path, "utf8"), "models.yaml");
  const used = new Set(Object.values(models).map(({ dialect }) => dialect));
  expect([...used].sort()).toEqual([...dialectNames].sort());
  const env = Object.fromEntries(
    Object.values(models).flatMap(({ apiKeyEnv }) => (apiKeyEnv ? [[apiKeyEnv, "k"]] : [])),
  );
  const resolved = createModels({ file: { models }, env });
  for (const name of Object.keys(models)) expect(resolved.resolve(name).name).toBe(name);
  expect(stateSettings(resolved.resolve("gpt-4.1")).deviations).toEqual([]);
  expect(stateSettings(resolved.resolve("gpt-5-high")).deviations).toEqual([
    "temperature of the provider's choice",
    "at most 32768 tokens an answer",
    "reasoning high",
  ]);
});
