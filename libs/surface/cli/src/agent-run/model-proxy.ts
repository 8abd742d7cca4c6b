import type { IncomingMessage, ServerResponse } from "node:http";
import type { Spent, Tokens } from "@microremed/contracts";
import { costOf, type ModelEndpoint } from "@microremed/llm";
import { z } from "zod";
import { readBody, refuse } from "./door-http.ts";
import { isModelPath, refusalOf, storingNothing } from "./model-requests.ts";
import { createUsageReader } from "./token-usage.ts";
import { valuesIn } from "./values-in.ts";

/** The way of a program to one model, which is counted. */
export interface ModelProxy {
  /** `path`: below `/v1`, e.g. `chat/completions`. */
  answer(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void>;
  /** What has been used up since the last time; undefined: nothing. */
  take(): Spent | undefined;
}

/** One call, wall clock, ms; a request, bytes; calls at once. */
const callMs = 600_000;
const mostBytes = 32 * 2 ** 20;
const mostAtOnce = 16;
/** Of a request: a MiB of nothing but numbers would take hundreds of MiB once it is read. */
const mostValues = 200_000;

/** Of an answer, for clients that try again. */
const passedBack = ["retry-after", "retry-after-ms"];

const Body = z.looseObject({
  model: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({}).optional(),
});

/** The key is added here, outside of the sandbox, and every call goes to the endpoint's own model, whatever it names. */
export function createModelProxy(endpoint: ModelEndpoint): ModelProxy {
  let spent: { tokens: Tokens; ms: number; cost: number | null; calls: number } | undefined;
  let underWay = 0;
  const add = (tokens: Tokens, ms: number): void => {
    const cost = costOf(tokens, endpoint.prices);
    spent = {
      tokens: sum(spent?.tokens, tokens),
      ms: (spent?.ms ?? 0) + ms,
      cost: cost === null ? null : (spent?.cost ?? 0) + cost,
      calls: (spent?.calls ?? 0) + 1,
    };
  };
  const pass = async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> => {
    const text = await readBody(request, mostBytes);
    if (text !== undefined && valuesIn(text) > mostValues)
      return refuse(response, 400, `a call of a model has at most ${mostValues} values and fields`);
    const read = text === undefined ? undefined : Body.safeParse(parsed(text)).data;
    if (!read) return refuse(response, 400, "a call of a model is a JSON object of at most 32 MiB");
    const refusal = refusalOf(path, read);
    if (refusal !== undefined) return refuse(response, 400, refusal);
    const startedAt = performance.now();
    const reply = await fetch(targetOf(endpoint, path, request.url), {
      method: "POST",
      body: JSON.stringify(bodyFor(endpoint, path, read)),
      headers: headersFor(endpoint, path, request),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]),
    });
    const type = reply.headers.get("content-type") ?? "application/json";
    const usage = createUsageReader(type.includes("event-stream"));
    const hints = passedBack.flatMap((name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    response.writeHead(reply.status, { "content-type": type, ...Object.fromEntries(hints) });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of reply.body ?? []) {
        usage.add(decoder.decode(chunk, { stream: true }));
        if (!response.write(chunk)) await drained(response, signal);
      }
    } finally {
      add(usage.total(), performance.now() - startedAt);
      response.end();
    }
  };
  return {
    answer: async (path, request, response, signal) => {
      if (!isModelPath(path))
        return refuse(
          response,
          404,
          `the endpoint of ${endpoint.name} has no /v1/${path.slice(0, 100)} here`,
        );
      if (underWay >= mostAtOnce) return refuse(response, 429, `${mostAtOnce} calls are under way already`);
      underWay++;
      try {
        await pass(path, request, response, signal);
      } catch {
        if (response.headersSent) response.destroy();
        else refuse(response, 502, `the endpoint of ${endpoint.name} did not answer`);
      } finally {
        underWay--;
      }
    },
    take: () => {
      const taken = spent;
      spent = undefined;
      return (
        taken && {
          promptTokens: taken.tokens.promptTokens,
          completionTokens: taken.tokens.completionTokens,
          cost: taken.cost,
          seconds: Math.min(86_400, taken.ms / 1000),
        }
      );
    },
  };
}

/** Native APIs of providers are beside their OpenAI-compatible ones. */
function targetOf({ baseUrl, model, apiVersion }: ModelEndpoint, path: string, asked = ""): string {
  const base = baseUrl.replace(/\/+$/, "");
  const [, verb] = /^models\/[^/:]+:(\w+)$/.exec(path) ?? [];
  if (verb !== undefined) {
    const search = asked.includes("alt=sse") ? "?alt=sse" : "";
    return `${base.replace(/\/openai$/, "")}/models/${encodeURIComponent(model)}:${verb}${search}`;
  }
  return apiVersion === null
    ? `${base}/${path}`
    : `${base}/${path}?api-version=${encodeURIComponent(apiVersion)}`;
}

function bodyFor({ model }: ModelEndpoint, path: string, body: z.output<typeof Body>): object {
  if (path.startsWith("models/")) return body;
  // Without it a stream does not say how many tokens it was.
  const isCounted = path === "chat/completions" && body.stream === true;
  return {
    ...body,
    model,
    ...storingNothing(path),
    ...(isCounted && { stream_options: { ...body.stream_options, include_usage: true } }),
  };
}

function headersFor(
  { apiKey, headers, dialect }: ModelEndpoint,
  path: string,
  { headers: given }: IncomingMessage,
): Record<string, string> {
  const passed = ["anthropic-version", "anthropic-beta", "openai-beta"].flatMap((name) => {
    const value = given[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return { "content-type": "application/json", ...Object.fromEntries(passed), ...headers, ...keyOf() };
  function keyOf(): Record<string, string> {
    if (apiKey === null) return {};
    if (path.startsWith("messages")) return { "x-api-key": apiKey };
    if (path.startsWith("models/")) return { "x-goog-api-key": apiKey };
    if (dialect === "azure") return { "api-key": apiKey };
    return { authorization: `Bearer ${apiKey}` };
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once("drain", resolve).once("close", () => reject(new Error("the program has left")));
    signal.addEventListener("abort", () => reject(new Error("the program has ended")), { once: true });
  });
}

function sum(a: Tokens | undefined, b: Tokens): Tokens {
  if (!a) return b;
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
