import { once } from "node:events";
import type { TokenRecord } from "@microremed/contracts";
import type { State } from "@microremed/state";
import type { FastifyReply, FastifyRequest } from "fastify";

/** One event of a stream. */
export interface SentEvent {
  readonly id?: string;
  readonly type: string;
  readonly data: unknown;
}

/** Without anything to send, a comment goes out so often, so that proxies keep the connection, ms. */
const silenceMs = 15_000;
/** A reader who takes nothing for so long is let go, ms. */
const stuckMs = 30_000;

/** So often it is checked whether the reader's token is still known, ms. */
const checkMs = 5_000;

/** What ends a stream besides its reader. */
export interface StreamLimits {
  readonly tokens: Pick<State["tokens"], "use">;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** Sends events until they end, the reader leaves or its token is revoked, or the signal aborts. A reader who is too slow is let go. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: (signal: AbortSignal) => AsyncIterable<SentEvent>,
  { tokens, signal }: StreamLimits,
): Promise<void> {
  const { raw } = reply;
  const left = new AbortController();
  raw.on("close", () => left.abort());
  reply.hijack();
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(": connected\n\n");
  const ended = AbortSignal.any([left.signal, signal]);
  const beat = setInterval(() => raw.writableLength === 0 && raw.write(": still here\n\n"), silenceMs);
  const check = setInterval(async () => {
    if (!(await isKnown(request.token, tokens))) left.abort();
  }, checkMs);
  const send = async (text: string): Promise<void> => {
    if (raw.write(text)) return;
    await once(raw, "drain", { signal: AbortSignal.any([ended, AbortSignal.timeout(stuckMs)]) });
  };
  try {
    for await (const { id, type, data } of events(ended)) {
      if (ended.aborted) break;
      await send(`${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  } catch (thrown) {
    if (!ended.aborted) request.noted["stream_error"] = String(thrown).slice(0, 500);
  } finally {
    clearInterval(beat);
    clearInterval(check);
    raw.end();
    // What is not taken at the end is not waited for.
    setTimeout(() => raw.destroy(), 1_000).unref();
  }
}

/** While that cannot be asked, the stream goes on: nothing new is let in meanwhile. */
async function isKnown(token: TokenRecord | null, tokens: StreamLimits["tokens"]): Promise<boolean> {
  if (token === null) return true;
  const used = await tokens.use(token.id, token.secretHash).catch(() => undefined);
  return used?.status !== "unknown";
}
