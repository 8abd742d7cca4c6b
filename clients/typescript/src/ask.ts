import createClient, { type Client } from "openapi-fetch";
import { MicroRemedError, NoAnswer, Refused, TurnOver } from "./errors.ts";
import type { components, paths } from "./openapi.ts";

/** The routes of a gateway, typed by its OpenAPI document. */
export type Routes = Client<paths>;

/** How a request is sent. */
export interface Sending {
  /** Until the answer must be there, all tries included, ms. */
  readonly withinMs: number;
  /** Not sent again after an error of the network: it does something each time that it arrives. */
  readonly once?: boolean;
  /** Ends the request, and the wait between two tries. */
  readonly signal?: AbortSignal;
}

type Reply<T> = {
  readonly data?: T;
  readonly error?: components["schemas"]["Error"];
  readonly response: Response;
};

/** After these the same request may be sent again: the gateway has not carried it out. */
const busy = new Set([429, 502, 503, 504]);
/** Longest pause between two tries, ms. */
const longestPauseMs = 10_000;

/** A connection to one gateway with one token. Throws `MicroRemedError` where the address or the token cannot be one. */
export function openRoutes(url: string, token: string): Routes {
  const { protocol } = URL.parse(url) ?? { protocol: "" };
  if (protocol !== "http:" && protocol !== "https:")
    throw new MicroRemedError(
      `${JSON.stringify(url)} is no address of a gateway, such as http://127.0.0.1:7070`,
    );
  if (!/^\S+$/.test(token))
    throw new MicroRemedError(
      "there is no token; pass one, or set MICROREMED_TOKEN. `microremed tokens create` makes one",
    );
  return createClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${token}` },
    // A redirect would carry the token to another server.
    redirect: "error",
  });
}

/**
 * The data of an answer. A request is sent again, with longer and longer pauses, where the gateway is busy, and after an error of the
 * network unless it is to be sent `once`. Throws `Refused`, `TurnOver`, and `NoAnswer` at the deadline.
 */
export async function ask<T>(
  send: (signal: AbortSignal) => Promise<Reply<T>>,
  { withinMs, once = false, signal }: Sending,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (let tries = 1; ; tries++) {
    const result = await oneTry(send, deadline, signal);
    if ("data" in result) return result.data;
    const { error, retryAfterMs } = result;
    const mayRepeat = error instanceof Refused ? busy.has(error.status) : !once;
    const pause = Math.min(longestPauseMs, retryAfterMs ?? 200 * 2 ** tries);
    if (!mayRepeat || Date.now() + pause >= deadline || signal?.aborted) throw error;
    await pauseFor(pause, signal);
  }
}

type Try<T> = { readonly data: T } | { readonly error: MicroRemedError; readonly retryAfterMs?: number };

async function oneTry<T>(
  send: (signal: AbortSignal) => Promise<Reply<T>>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<Try<T>> {
  const late = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  try {
    const { data, error, response } = await send(signal ? AbortSignal.any([late, signal]) : late);
    if (error === undefined && response.ok) return { data: data as T };
    const seconds = Number(response.headers.get("retry-after") ?? "");
    return { error: refusal(error, response), ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) };
  } catch (cause) {
    const { message, cause: inner } = cause as Error;
    const why = inner instanceof Error ? `${message}: ${inner.message}` : message;
    return {
      error: new NoAnswer(`the gateway did not answer: ${why}. Is it running, and is this its address?`, {
        cause,
      }),
    };
  }
}

function refusal(body: components["schemas"]["Error"] | undefined, response: Response): Refused {
  const {
    code,
    message,
    issues = [],
  } = body?.error ?? {
    code: "unknown",
    message: `HTTP status ${response.status}, which is no answer of a gateway`,
  };
  const lines = issues.map((one) => `\n  ${one.path}: ${one.message}`);
  // The gateway's message has those of most requests already.
  const fields = lines.filter((line) => !message.includes(line.trim())).join("");
  const of = { code, status: response.status, issues };
  return code === "turn-over" ? new TurnOver(message, of) : new Refused(`${message}${fields}`, of);
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
