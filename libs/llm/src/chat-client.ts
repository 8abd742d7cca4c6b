import { setTimeout as delay } from "node:timers/promises";
import type { AppError } from "@microremed/core";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ChatClient, ChatClientOptions, ChatReply, ChatRequest, RetryPolicy } from "./chat.types.ts";
import { toModelError } from "./chat-errors.ts";
import { type ParsedReply, parseReply } from "./chat-reply.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { redactError } from "./redact.ts";
import { toWireMessage, toWireTool } from "./wire-messages.ts";

/** 8192 tokens of answer are some 32 KiB; the rest is room for reasoning text and metadata. */
const maxReplyBytes = 1_048_576;

const defaultRetry: RetryPolicy = { tries: 3, firstWaitMs: 500 };

/** A client for one model. Retryable failures are tried again in place, within `timeoutMs` altogether. */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const { model, timeoutMs, log } = options;
  const who = `model ${JSON.stringify(model)} at ${options.baseUrl}`;
  const retry = options.retry ?? defaultRetry;
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The package insists on a key and would take the environment's.
    apiKey: options.apiKey ?? "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    defaultHeaders: { ...options.headers },
    fetch: boundedFetch(options.fetch ?? fetch, maxReplyBytes),
  });

  const exchange = async (request: ChatRequest, signal: AbortSignal): Promise<ParsedReply> => {
    const body = requestBody(model, request, options.parameters);
    const response = await client.chat.completions.create(body, { signal }).asResponse();
    const contentType = response.headers.get("content-type") ?? "";
    return parseReply(await response.text(), contentType, `call-${request.messages.length}`);
  };

  const complete = async (request: ChatRequest): Promise<ChatReply> => {
    const deadline = Date.now() + timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    for (let attempt = 1; ; attempt++) {
      try {
        return withUsage(await exchange(request, signal), request);
      } catch (thrown) {
        request.signal?.throwIfAborted();
        const error = redactError(toModelError(thrown, who, timeoutMs), options.apiKey);
        const waitMs = error.retryAfterMs ?? retry.firstWaitMs * 2 ** (attempt - 1);
        if (!worthAnotherTry(error, attempt, retry) || Date.now() + waitMs >= deadline) throw error;
        log.warn(
          { model, code: error.code, attempt, waitMs },
          `model call failed, trying again: ${error.message}`,
        );
        await delay(waitMs, undefined, request.signal ? { signal: request.signal } : {});
      }
    }
  };
  return { model, complete };
}

function worthAnotherTry(error: AppError, attempt: number, retry: RetryPolicy): boolean {
  return error.severity === "retryable" && attempt < retry.tries;
}

function requestBody(
  model: string,
  request: ChatRequest,
  parameters: Readonly<Record<string, unknown>> = {},
): ChatCompletionCreateParamsNonStreaming {
  const tools = (request.tools ?? []).map(toWireTool);
  const body: ChatCompletionCreateParamsNonStreaming = {
    model,
    messages: request.messages.map(toWireMessage),
    temperature: request.temperature ?? 0,
    max_tokens: request.maxTokens ?? 8192,
    ...(tools.length > 0 && { tools, tool_choice: request.toolChoice ?? "auto" }),
    ...parameters,
  };
  // JSON leaves undefined fields out.
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) Object.assign(body, { [name]: undefined });
  }
  return body;
}

function withUsage(reply: ParsedReply, request: ChatRequest): ChatReply {
  if (reply.usage) return { ...reply, usage: reply.usage };
  const answer = { role: "assistant" as const, content: reply.content, toolCalls: [...reply.toolCalls] };
  return {
    ...reply,
    usage: { promptTokens: estimateTokens(request.messages), completionTokens: estimateTokens([answer]) },
  };
}
