import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import type { ModelEndpoint } from "@microremed/llm";
import { afterEach, expect, test } from "vitest";
import { createModelProxy, isSpent, type ModelProxy, type MostSpent } from "./model-proxy.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy in front of a provider that answers so; `url` is the program's. */
async function aProxy(
  provider: (response: ServerResponse) => void,
  leftMs?: number,
  most?: MostSpent,
): Promise<{ proxy: ModelProxy; port: number; url: string; asked: () => number }> {
  let asked = 0;
  const vendor = await listening((request, response) => {
    request.resume();
    request.on("end", () => {
      asked++;
      provider(response);
    });
  });
  const endpoint = {
    ...{ name: "m", model: "m", baseUrl: `http://127.0.0.1:${vendor}/v1`, apiKey: null, headers: {} },
    ...{ apiVersion: null, dialect: "openai", prices: { input: 1, output: 1, cachedInput: 1 } },
  } as unknown as ModelEndpoint;
  const proxy = createModelProxy(endpoint, most, leftMs);
  const { signal } = new AbortController();
  const port = await listening(
    (request, response) => void proxy.answer("chat/completions", request, response, signal),
  );
  return { proxy, port, url: `http://127.0.0.1:${port}/`, asked: () => asked };
}

const body = JSON.stringify({
  model: "x",
  stream: true,
  messages: [{ role: "user", content: "x".repeat(400) }],
});
const ask = (url: string, signal?: AbortSignal) =>
  fetch(url, { method: "POST", body, ...(signal && { signal }) });
const usage = 'data: {"usage":{"prompt_tokens":70,"completion_tokens":30}}\n\n';

/** What comes in after a while. */
async function counted(proxy: ModelProxy) {
  let found = proxy.take();
  await expect
    .poll(() => {
      if (!isSpent(found)) found = proxy.take();
      return isSpent(found);
    })
    .toBe(true);
  return found;
}

test("a stream that the program breaks off is read to its end, and counted as the provider says", async () => {
  const going = Promise.withResolvers<void>();
  const { proxy, url } = await aProxy((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[]}\n\n');
    void going.promise.then(() => response.end(usage));
  });
  const stop = new AbortController();
  const reply = await ask(url, stop.signal);
  await reply.body?.getReader().read();
  stop.abort();
  going.resolve();
  expect(await counted(proxy)).toMatchObject({ promptTokens: 70, completionTokens: 30 });
});

test("a stream without an end is broken off, counted by estimate, and its place is free again", async () => {
  const { proxy, url } = await aProxy((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let event = 0; event < 5; event++) response.write('data: {"choices":[]}\n\n');
  }, 1);
  // All places, again and again.
  for (let round = 0; round < 2; round++) {
    const stop = new AbortController();
    const replies = await Promise.all(Array.from({ length: 16 }, () => ask(url, stop.signal)));
    expect(replies.map(({ status }) => status)).toEqual(Array(16).fill(200));
    for (const reply of replies) await reply.body?.getReader().read();
    stop.abort();
    let prompts = 0;
    await expect
      .poll(() => {
        prompts += proxy.take().promptTokens;
        return prompts;
      })
      .toBe(16 * Math.ceil(body.length / 4));
  }
});

test("a program that stops reading, and is gone then, holds no place", async () => {
  const flood = `: ${"x".repeat(2 ** 20)}\n`;
  const { proxy, port } = await aProxy((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let part = 0; part < 16; part++) response.write(flood);
    response.end(usage);
  });
  const program = connect(port, "127.0.0.1");
  program.pause();
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
  program.write(head + body);
  await once(program, "connect");
  await new Promise((resolve) => setTimeout(resolve, 200));
  program.destroy();
  expect(await counted(proxy)).toMatchObject({ promptTokens: 70, completionTokens: 30 });
});

test("calls that are under way when the program ends are ended and counted; no provider, no tokens", async () => {
  const { proxy, url, asked } = await aProxy(() => {});
  const waiting = ask(url).catch(() => undefined);
  await expect.poll(asked).toBe(1);
  await proxy.end();
  expect(proxy.take()).toMatchObject({ promptTokens: Math.ceil(body.length / 4), completionTokens: 0 });
  await waiting;
  const refusing = await aProxy((response) => response.writeHead(429).end("{}"));
  expect((await ask(refusing.url)).status).toBe(429);
  expect(await counted(refusing.proxy)).toMatchObject({ promptTokens: 0, completionTokens: 0 });
});

test("once the tokens of a problem are used up the model is not called, whether they were taken or not", async () => {
  const answer = JSON.stringify({ usage: { prompt_tokens: 60, completion_tokens: 0 } });
  const { proxy, url, asked } = await aProxy((response) => response.end(answer), undefined, { tokens: 100 });
  for (const wanted of [200, 200, 403, 403]) {
    const reply = await ask(url);
    expect([reply.status, await reply.text()]).toEqual([
      wanted,
      wanted === 200 ? answer : expect.stringContaining("are used up"),
    ]);
    proxy.take();
  }
  expect(asked()).toBe(2);
});

test("what was taken and came nowhere is taken again", async () => {
  const { proxy } = await aProxy(() => {});
  const nothing = { promptTokens: 0, completionTokens: 0, cost: 0, seconds: 0 };
  expect(proxy.take()).toEqual(nothing);
  const spent = { promptTokens: 3, completionTokens: 2, cost: 0.5, seconds: 1 };
  proxy.giveBack(spent);
  proxy.giveBack(spent);
  expect(proxy.take()).toEqual({ promptTokens: 6, completionTokens: 4, cost: 1, seconds: 2 });
  expect(proxy.take()).toEqual(nothing);
});
