import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import type { PlayedTool } from "./player-line.ts";

/** Most bytes of one request. */
const mostBytes = 16 * 2 ** 20;
/** A client gives up on an answer of which nothing came for minutes: blanks before JSON mean nothing, ms. */
const keepAliveMs = 30_000;

const ChatRequest = z.object({
  messages: z
    .array(z.object({ role: z.string(), content: z.string().nullish() }))
    .min(1)
    .max(10_000),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string().default(""),
          parameters: z.looseObject({}).default({}),
        }),
      }),
    )
    .default([]),
});

/** What the player is asked: everything that was said so far, and what may be called. */
export interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: string | null | undefined }[];
  readonly tools: readonly PlayedTool[];
}

/** What the player does: calls a tool. */
export interface Played {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A server at which a person answers in place of a language model. Disposing it closes it. */
export interface PlayerServer extends AsyncDisposable {
  /** Base URL for an OpenAI-compatible client, ends in `/v1`. */
  readonly url: string;
}

/**
 * Serves a person under `/v1/chat/completions`, on this machine alone. The person gets what a model gets, word by word. A
 * request that is sent again while the person thinks waits for the same move.
 */
export async function servePlayer(move: (asked: Asked) => Promise<Played>): Promise<PlayerServer> {
  let thinking: { readonly at: number; readonly move: Promise<Played> } | undefined;
  const once = (asked: Asked): Promise<Played> => {
    const at = asked.messages.length;
    if (thinking?.at !== at) thinking = { at, move: move(asked) };
    return thinking.move;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
    }
    const read = ChatRequest.safeParse(
      size > mostBytes ? undefined : parseJson(Buffer.concat(chunks).toString("utf8")),
    );
    if (!read.success) return void response.writeHead(400).end("{}");
    const { messages } = read.data;
    const tools = read.data.tools.map((tool) => tool.function as PlayedTool);
    response.writeHead(200, { "content-type": "application/json" });
    const blanks = setInterval(() => response.write(" "), keepAliveMs);
    try {
      response.end(JSON.stringify(completion(await once({ messages, tools }), messages.length)));
    } catch {
      response.destroy();
    } finally {
      clearInterval(blanks);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function completion({ name, args }: Played, number: number) {
  const call = { name, arguments: JSON.stringify(args) };
  const tool_calls = [{ id: `call_${number}`, type: "function", function: call }];
  return {
    id: `play-${number}`,
    object: "chat.completion",
    created: 0,
    model: "player",
    choices: [
      { index: 0, message: { role: "assistant", content: null, tool_calls }, finish_reason: "tool_calls" },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}
