import type { ChatRequest } from "./chat.types.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { CallSettings } from "./model-settings.ts";
import { textTools } from "./text-tools.ts";
import { toWireMessage, toWireTool } from "./wire-messages.ts";
import { withinTokens } from "./within-tokens.ts";

/** Fewest tokens that are asked for, however full the context is: the provider says whether they fit. */
const leastAnswer = 256;
/** Models count differently from four characters a token; this much is kept free, as a part of the context. */
const reserve = 0.05;

export type WireBody = Readonly<Record<string, unknown>>;

interface BodySettings extends CallSettings {
  readonly model: string;
  readonly stream: boolean;
  readonly contextTokens: number | null;
}

/** The body of one chat completion request. Parameters of the models file go over everything else. */
export function requestBody(request: ChatRequest, dialect: Dialect, settings: BodySettings): WireBody {
  const { model, temperature, reasoning, stream, parameters } = settings;
  const kept = { ...request, messages: withinTokens(request.messages, settings.historyTokens) };
  const maxTokens = answerLimit(kept, settings);
  const inText = settings.toolCalling === "text";
  const { messages, tools = [] } = inText ? textTools.rewrite(kept) : kept;
  const body: Record<string, unknown> = {
    model,
    messages: messages.map((message) => toWireMessage(message, dialect)),
    ...(temperature !== null && { temperature }),
    [dialect.maxTokensField]: maxTokens,
    ...(reasoning !== "default" && dialect.reasoning(reasoning, maxTokens)),
    ...(tools.length > 0 && { tools: tools.map(toWireTool), tool_choice: "auto" }),
    ...(inText && { stop: textTools.stop }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
    ...parameters,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The settings of a request: the request without the conversation and the tools. */
export function settingsOf({ model: _model, messages: _messages, tools: _tools, ...settings }: WireBody) {
  return settings;
}

function answerLimit({ messages, tools }: ChatRequest, settings: BodySettings): number {
  const { contextTokens, maxTokens } = settings;
  if (contextTokens === null) return maxTokens;
  const used = estimateTokens(messages) + JSON.stringify(tools ?? []).length / 4;
  const left = Math.floor(contextTokens * (1 - reserve) - used);
  return Math.max(Math.min(leastAnswer, maxTokens), Math.min(maxTokens, left));
}
