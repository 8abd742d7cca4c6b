import { builtInCatalogue } from "@microremed/registry";
import { toolSpecs } from "@microremed/solving";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { columns } from "../columns.ts";
import { dataCard } from "../data-card.ts";
import { anEpisode } from "../testdata/an-episode.ts";
import { exportFormats } from "./registry.ts";

const known = toolSpecs((await builtInCatalogue()).tools);
const written = (name: string, episodes = [anEpisode()]) => {
  const format = exportFormats.find((one) => one.name === name);
  if (!format) throw new Error(`no format ${name}`);
  return format.write(episodes, known);
};
const firstLine = (name: string) => JSON.parse(String(written(name)).split("\n")[0] ?? "");

test("openai-chat binds every tool message to a call and offers the tools that were offered", () => {
  const { messages, tools, rewards, metadata } = firstLine("openai-chat");
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
  ]);
  expect(messages[3].tool_call_id).toBe(messages[2].tool_calls[0].id);
  expect(messages[2].tool_calls[0]).toMatchObject({ type: "function", function: { name: "probe_system" } });
  const names = tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(names).toEqual(expect.arrayContaining(["probe_system", "print_playbook"]));
  expect(rewards).toEqual({
    ...{ strict: 1, clean: null, microremed: 1 },
    tasks: { mitigation: { passed: 1, score: 1 } },
  });
  expect(metadata).toMatchObject({
    failure: "cpu-stress",
    target: "hello-service",
    model: "reference/runbook",
  });
});

test("sharegpt keeps the order of calls and observations, arguments as objects", () => {
  const { conversations, system } = firstLine("sharegpt");
  expect(system).toContain("coordinator");
  expect(conversations.map(({ from }: { from: string }) => from)).toEqual([
    "human",
    "function_call",
    "observation",
    "function_call",
    "observation",
  ]);
  expect(JSON.parse(conversations[1].value)).toEqual({
    name: "probe_system",
    arguments: { command: expect.stringContaining("kubectl") },
  });
});

test("atif numbers its steps from one and puts observations into the step that asked", () => {
  const { schema_version, steps, final_metrics, agent } = firstLine("atif");
  expect(schema_version).toBe("ATIF-v1.7");
  expect(agent).toMatchObject({ name: "ThinkRemed", model_name: "reference/runbook" });
  expect(steps.map(({ step_id }: { step_id: number }) => step_id)).toEqual([1, 2, 3, 4]);
  expect(steps.map(({ source }: { source: string }) => source)).toEqual(["system", "user", "agent", "agent"]);
  const [call] = steps[2].tool_calls;
  expect(steps[2].observation.results[0].source_call_id).toBe(call.tool_call_id);
  const sum = steps.reduce(
    (total: number, step: { metrics?: { prompt_tokens: number } }) =>
      total + (step.metrics?.prompt_tokens ?? 0),
    0,
  );
  expect(final_metrics.total_prompt_tokens).toBe(sum);
});

test("csv quotes what needs it and does not start a formula", () => {
  const text = String(written("csv", [anEpisode({ reason: '=cmd("a"),\nb' })]));
  expect(text.split("\n")[0]).toBe(columns.map(({ name }) => name).join(","));
  expect(text).toContain('"\'=cmd(""a""),\nb"');
});

test("parquet can be read back with its types, nulls included", async () => {
  const unscored = anEpisode({ id: "exp-1.0001", outcome: "harness-error" });
  const bytes = written("parquet", [anEpisode(), unscored]);
  if (typeof bytes === "string") throw new Error("parquet is binary");
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  expect(rows).toHaveLength(2);
  expect(Object.keys(rows[0] ?? {})).toEqual(columns.map(({ name }) => name));
  expect(rows[0]).toMatchObject({
    failure: "cpu-stress",
    reward_strict: 1,
    attempts: 1,
    model_calls: 2,
    cost_usd: 0,
  });
  expect(rows[1]).toMatchObject({ outcome: "harness-error", reward_strict: null, reward_microremed: null });
});

test.each(exportFormats)("the data card of $name counts what is scored and says what to mind", (format) => {
  const card = dataCard([anEpisode(), anEpisode({ outcome: "cancelled" })], format, `a.${format.extension}`);
  expect(card).toContain("2 episodes");
  expect(card).toContain("| scored | 1, of them 1 remediated |");
  expect(card).toContain("reference/runbook (2)");
  expect(card.includes("reward_strict")).toBe(format.name === "csv" || format.name === "parquet");
});
