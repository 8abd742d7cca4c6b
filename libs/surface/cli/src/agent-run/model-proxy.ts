import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Spent } from "@microremed/contracts";
import { costOf, type ModelEndpoint } from "@microremed/llm";
import { z } from "zod";
import { readBody, refuse } from "./door-http.ts";
import { isModelPath, refusalOf, storingNothing } from "./model-requests.ts";
import { createUsageReader, type UsageReader } from "./token-usage.ts";
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
  /** What has been used up since the last time: zeros for nothing, whose cost is known. */
  take(): Spent;
  /** What was taken and came nowhere: it is counted with what is taken next. */
  giveBack(spent: Spent): void;
  /** Ends the calls that are under way; when they have ended, they are counted. */
  end(): Promise<void>;
}

/** What a turn may use up: `limits` of it. Absent or null: as much as it likes. */
export interface MostSpent {
  readonly tokens?: number | null | undefined;
  /** US dollars. */
  readonly cost?: number | null | undefined;
}

/** The range counts with the next call of a tool, which a program may never make. */
const isOver = ({ promptTokens, completionTokens, cost }: Spent, most: MostSpent): boolean =>
  promptTokens + completionTokens >= (most.tokens ?? Number.POSITIVE_INFINITY) ||
  (cost ?? 0) >= (most.cost ?? Number.POSITIVE_INFINITY);

/** Not the same as a word that is missing: then the cost of the whole episode is not known. */
const nothingSpent: Spent = { promptTokens: 0, completionTokens: 0, cost: 0, seconds: 0 };

/** Whether a model was called. */
export const isSpent = ({ promptTokens, completionTokens, seconds = 0 }: Spent): boolean =>
  promptTokens > 0 || completionTokens > 0 || seconds > 0;

/** One call, wall clock, ms; how much longer it is read that the program has broken off, for its tokens; a request, bytes; calls at once. */
const callMs = 600_000;
const usualLeftMs = 30_000;
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

/**
 * The key is added here, outside of the sandbox, and every call goes to the endpoint's own model, whatever it names. Whatever becomes of a
 * call, what it has used up is counted; where the provider does not say it, it is estimated.
 */
export function createModelProxy(
  endpoint: ModelEndpoint,
  most: MostSpent = {},
  leftMs = usualLeftMs,
): ModelProxy {
  let spent = nothingSpent;
  let all = nothingSpent;
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  const giveBack = (more: Spent): void => {
    spent = sum(spent, more);
  };
  const count = (more: Spent): void => {
    giveBack(more);
    all = sum(all, more);
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
    if (text === undefined || !read)
      return refuse(response, 400, "a call of a model is a JSON object of at most 32 MiB");
    const refusal = refusalOf(path, read);
    if (refusal !== undefined) return refuse(response, 400, refusal);
    const startedAt = performance.now();
    using left = abortedAfter(response, leftMs);
    const ended = AbortSignal.any([signal, ending.signal, left.signal, AbortSignal.timeout(callMs)]);
    const usage = createUsageReader();
    let status = 0;
    try {
      const reply = await fetch(targetOf(endpoint, path, request.url), {
        method: "POST",
        body: JSON.stringify(bodyFor(endpoint, path, read)),
        headers: headersFor(endpoint, path, request),
        redirect: "error",
        signal: ended,
      });
      ({ status } = reply);
      await passAnswer(reply, response, usage, ended);
    } finally {
      const isUsed = isCounted(path) && (status === 0 ? ended.aborted : status < 400);
      const tokens = usage.total(isUsed ? text.length : null);
      const { promptTokens, completionTokens } = tokens;
      const cost = costOf(tokens, endpoint.prices);
      count({ promptTokens, completionTokens, cost, seconds: (performance.now() - startedAt) / 1000 });
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
      if (isOver(all, most))
        return refuse(response, 403, "the tokens or the money of this problem are used up");
      if (underWay.size >= mostAtOnce)
        return refuse(response, 429, `${mostAtOnce} calls are under way already`);
      const call = pass(path, request, response, signal).catch(() => {
        if (response.headersSent) response.destroy();
        else refuse(response, 502, `the endpoint of ${endpoint.name} did not answer`);
      });
      underWay.add(call);
      await call;
      underWay.delete(call);
    },
    take: () => {
      const taken = { ...spent, seconds: Math.min(86_400, spent.seconds ?? 0) };
      spent = nothingSpent;
      return taken;
    },
    giveBack,
    end: async () => {
      ending.abort();
      await Promise.all(underWay);
    },
  };
}

/** Passes an answer on while it comes. A program that is gone gets nothing more of it, and its tokens are read all the same. */
async function passAnswer(
  reply: Response,
  response: ServerResponse,
  usage: UsageReader,
  signal: AbortSignal,
): Promise<void> {
  const type = reply.headers.get("content-type") ?? "application/json";
  usage.begin(type.includes("event-stream"));
  const hints = passedBack.flatMap((name) => {
    const value = reply.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  response.writeHead(reply.status, { "content-type": type, ...Object.fromEntries(hints) });
  const decoder = new TextDecoder();
  for await (const chunk of reply.body ?? []) {
    usage.add(decoder.decode(chunk, { stream: true }));
    if (!response.destroyed && !response.write(chunk)) await drained(response, signal);
  }
  usage.end();
}

/** Aborted so long after the program has broken its call off. */
function abortedAfter(response: ServerResponse, ms: number): Disposable & { readonly signal: AbortSignal } {
  const left = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onClose = (): void => {
    timer = setTimeout(() => left.abort(), ms);
  };
  if (response.destroyed) onClose();
  else response.once("close", onClose);
  return {
    signal: left.signal,
    [Symbol.dispose]: () => {
      response.off("close", onClose);
      clearTimeout(timer);
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
  const saysUsage = path === "chat/completions" && body.stream === true;
  return {
    ...body,
    model,
    ...storingNothing(path),
    ...(saysUsage && { stream_options: { ...body.stream_options, include_usage: true } }),
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

/** Returns when more can be written, or the program is gone; throws when the signal is aborted. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  const settled = new AbortController();
  const until = { signal: AbortSignal.any([signal, settled.signal]) };
  try {
    await Promise.race([once(response, "drain", until), once(response, "close", until)]);
  } finally {
    settled.abort();
  }
}

function sum(a: Spent, b: Spent): Spent {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
    seconds: (a.seconds ?? 0) + (b.seconds ?? 0),
  };
}

/** Counting tokens costs none. */
const isCounted = (path: string): boolean => !/[/:]count_?tokens$/i.test(path);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
