import {
  type ChatMessage,
  type EpisodeDocument,
  sentOf,
  type ToolCall,
  usageOf,
} from "@microremed/contracts";
import { isJsonObject, parseJson } from "@microremed/core";
import { type KnownTools, offeredTools } from "../offered-tools.ts";
import { rewardsOf } from "../rewards.ts";
import { defineFormat, jsonLines } from "./format.ts";
import { labelsOf } from "./labels.ts";

/**
 * The Agent Trajectory Interchange Format of the Harbor project, https://harborframework.com/docs/trajectory-format.
 * A step of the agent carries its calls and what came back for them.
 */
export const atif = defineFormat({
  name: "atif",
  description: "one line per episode: Agent Trajectory Interchange Format 1.7",
  extension: "jsonl",
  write: (episodes, tools) => jsonLines(episodes.map((episode) => trajectory(episode, tools))),
});

function trajectory(document: EpisodeDocument, known: KnownTools) {
  const { id, method, model } = document;
  const conversation = sentOf(document.conversation);
  const usage = usageOf(document);
  const tools = offeredTools(conversation, known);
  const steps = stepsOf(conversation);
  return {
    schema_version: "ATIF-v1.7",
    session_id: id,
    agent: {
      name: method,
      version: "MicroRemed",
      model_name: model,
      ...(tools.length > 0 && {
        tool_definitions: tools.map((tool) => ({ type: "function", function: tool })),
      }),
    },
    steps,
    final_metrics: {
      total_prompt_tokens: usage.promptTokens,
      total_completion_tokens: usage.completionTokens,
      total_cached_tokens: usage.cachedTokens,
      ...(usage.cost !== null && { total_cost_usd: usage.cost }),
      total_steps: steps.length,
    },
    extra: { rewards: rewardsOf(document), ...labelsOf(document) },
  };
}

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/** Ids of calls are unique within one answer only, so that results are looked for right behind it. */
function stepsOf(conversation: readonly ChatMessage[]) {
  const steps = conversation.flatMap((message, i) => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [{ source: message.role, message: message.content }];
    return [agentStep(message, resultsAfter(conversation, i))];
  });
  return steps.map((step, i) => ({ step_id: i + 1, ...step }));
}

function resultsAfter(conversation: readonly ChatMessage[], place: number): ToolMessage[] {
  const rest = conversation.slice(place + 1);
  const next = rest.findIndex(({ role }) => role === "assistant");
  return (next < 0 ? rest : rest.slice(0, next)).filter((message) => message.role === "tool");
}

function agentStep(message: Extract<ChatMessage, { role: "assistant" }>, results: readonly ToolMessage[]) {
  const { content, reasoning, toolCalls, usage, exchange } = message;
  const observed = results.map((result) => ({ source_call_id: result.toolCallId, content: result.content }));
  return {
    source: "agent",
    message: content,
    ...(exchange && { timestamp: new Date(exchange.startedAt).toISOString(), model_name: exchange.model }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(callOf) }),
    ...(observed.length > 0 && { observation: { results: observed } }),
    ...(usage && {
      metrics: {
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        cached_tokens: usage.cachedTokens,
        ...(usage.cost !== null && { cost_usd: usage.cost }),
      },
    }),
  };
}

/** ATIF wants an object; what is none is kept as text in one. */
function callOf({ id, name, arguments: given }: ToolCall) {
  return { tool_call_id: id, function_name: name, arguments: argumentsOf(given) };
}

function argumentsOf(text: string): object {
  const value = parseJson(text);
  return isJsonObject(value) ? value : { invalid: text };
}
