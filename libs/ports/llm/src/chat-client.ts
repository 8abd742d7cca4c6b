import { setTimeout as delay } from "node:timers/promises";
import type { FailedTry } from "@microremed/contracts";
import { type AppError, clipMiddle } from "@microremed/core";
import OpenAI from "openai";
import { boundedFetch } from "./bounded-fetch.ts";
import { openGate } from "./call-gate.ts";
import { callsInText } from "./calls-in-text.ts";
import type { ChatClient, ChatClientOptions, ChatReply, ChatRequest, RetryPolicy } from "./chat.types.ts";
import { toModelError } from "./chat-errors.ts";
import { type ParsedReply, parseReply } from "./chat-reply.ts";
import type { Connection, Dialect } from "./dialects/dialect.ts";
import { dialects } from "./dialects/registry.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { plainEndpoint } from "./models.ts";
import { costOf } from "./prices.ts";
import { redactError } from "./redact.ts";
import { requestBody, settingsOf, type WireBody } from "./request-body.ts";

/** 8192 tokens of answer are some 32 KiB; the rest is room for reasoning text and metadata. */
const maxReplyBytes = 2 ** 20;
/** A stream sends every token in some 300 bytes of its own. */
const maxStreamBytes = 16 * 2 ** 20;
/** Tokens of an answer that are reserved at the gate before it is known how many there are. */
const expectedAnswer = 1_000;

const defaultRetry: RetryPolicy = { tries: 3, firstWaitMs: 500 };

/** A client for one model. Retryable failures are tried again in place, within `timeoutMs` altogether. */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const endpoint = withDefaults(options);
  const { model, timeoutMs, log, gate = openGate, retry = defaultRetry } = endpoint;
  const who = `model ${JSON.stringify(model)} at ${endpoint.baseUrl}`;
  const dialect: Dialect = dialects[endpoint.dialect];
  const client = openClient(connectionOf(endpoint, dialect), endpoint);

  const exchange = async (request: ChatRequest, body: WireBody, leftMs: number): Promise<ParsedReply> => {
    const timeout = AbortSignal.timeout(leftMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await client.post("/chat/completions", { body, signal, timeout: leftMs }).asResponse();
    const contentType = response.headers.get("content-type") ?? "";
    return parseReply(
      await response.text(),
      contentType,
      `call-${request.messages.length}`,
      dialect.thinkingBesideCompletion,
    );
  };

  const complete = async (request: ChatRequest): Promise<ChatReply> => {
    const body = requestBody(request, dialect, endpoint);
    const expected = estimateTokens(request.messages) + expectedAnswer;
    const failedTries: FailedTry[] = [];
    let leftMs = timeoutMs;
    let waitedMs = 0;
    for (;;) {
      const waited = await gate.enter(expected, leftMs, request.signal);
      waitedMs += waited.allMs;
      leftMs = Math.max(1, leftMs - waited.failingMs);
      const startedAt = Date.now();
      const begun = performance.now();
      const sinceBegun = () => Math.round(performance.now() - begun);
      try {
        const parsed = await exchange(request, body, leftMs);
        const milliseconds = sinceBegun();
        const reply = replyFrom(parsed, request, endpoint, body, {
          startedAt,
          milliseconds,
          waitedMs,
          failedTries,
        });
        const { promptTokens, completionTokens } = reply.usage;
        await gate.answered(promptTokens + completionTokens - expected);
        return reply;
      } catch (thrown) {
        request.signal?.throwIfAborted();
        const error = redactError(toModelError(thrown, who, timeoutMs), options.apiKey);
        const milliseconds = sinceBegun();
        failedTries.push({ code: error.code, message: clipMiddle(error.message, 500), milliseconds });
        if (isProvidersFault(error)) await gate.failed(error.retryAfterMs);
        const waitMs = error.retryAfterMs ?? retry.firstWaitMs * 2 ** (failedTries.length - 1);
        leftMs -= milliseconds + waitMs;
        if (error.severity === "terminal" || failedTries.length >= retry.tries || leftMs <= 0) throw error;
        log.warn(
          { model, code: error.code, attempt: failedTries.length, waitMs },
          `model call failed, trying again: ${error.message}`,
        );
        await delay(waitMs, undefined, request.signal ? { signal: request.signal } : {});
        waitedMs += waitMs;
      }
    }
  };
  return { model, complete };
}

const withDefaults = (options: ChatClientOptions) => ({ ...plainEndpoint, ...options });
type Endpoint = ReturnType<typeof withDefaults>;

function connectionOf(endpoint: Endpoint, dialect: Dialect): Connection {
  const input = { ...endpoint, baseUrl: endpoint.baseUrl.replace(/\/+$/, "") };
  return dialect.connect?.(input) ?? { baseUrl: input.baseUrl, headers: {}, query: {} };
}

function openClient({ baseUrl, headers, query }: Connection, endpoint: Endpoint): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    // The package insists on a key and would take the environment's.
    apiKey: endpoint.apiKey ?? "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: endpoint.timeoutMs,
    logLevel: "off",
    defaultHeaders: { ...headers, ...endpoint.headers },
    defaultQuery: { ...query },
    fetch: boundedFetch(endpoint.fetch ?? fetch, endpoint.stream ? maxStreamBytes : maxReplyBytes),
  });
}

/** Refusals concern the one request; all else keeps other calls from succeeding too. */
function isProvidersFault(error: AppError): boolean {
  return error.code === "model-overloaded" || error.code === "model-unreachable";
}

type Timing = Pick<ChatReply["exchange"], "startedAt" | "milliseconds" | "waitedMs" | "failedTries">;

function replyFrom(
  parsed: ParsedReply,
  request: ChatRequest,
  endpoint: Endpoint,
  body: WireBody,
  timing: Timing,
): ChatReply {
  const { finishReason, reasoning, ...reply } = withCallsInText(parsed, request);
  const tokens = reply.tokens ?? estimated(parsed, request);
  return {
    content: reply.content,
    toolCalls: reply.toolCalls,
    ...(reasoning && { reasoning }),
    usage: { ...tokens, cost: costOf(tokens, endpoint.prices) },
    exchange: {
      model: endpoint.model,
      endpoint: endpoint.baseUrl,
      dialect: endpoint.dialect,
      tools: (request.tools ?? []).map(({ name }) => name),
      settings: settingsOf(body),
      ...timing,
      finishReason,
      usageReported: reply.tokens !== null,
      callsInText: reply.callsInText,
    },
  };
}

/** Calls that a model wrote into its text count as calls: its server failed to parse them. */
function withCallsInText(
  parsed: ParsedReply,
  { messages, tools = [] }: ChatRequest,
): ParsedReply & { readonly callsInText: boolean } {
  const found = parsed.toolCalls.length === 0 ? callsInText(parsed.content, tools) : undefined;
  if (!found) return { ...parsed, callsInText: false };
  const toolCalls = found.calls.map((call, index) => ({ id: `call-${messages.length}-${index}`, ...call }));
  return { ...parsed, content: found.before, toolCalls, callsInText: true };
}

function estimated(parsed: ParsedReply, { messages }: ChatRequest) {
  const answer = { role: "assistant" as const, content: parsed.content, toolCalls: [...parsed.toolCalls] };
  return {
    promptTokens: estimateTokens(messages),
    completionTokens: estimateTokens([answer]),
    cachedTokens: 0,
    reasoningTokens: 0,
  };
}
