import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { checkGateway } from "./check-gateway.ts";

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const end = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, end, [Symbol.asyncDispose]: end };
}

const check = (url: string, token: string, deadlineMs?: number) =>
  checkGateway({ url, token }, new AbortController().signal, deadlineMs);

test("a token that the gateway does not know is said of MICROREMED_TOKEN", async () => {
  await using server = await serve(({ url, headers }, reply) => {
    const isRight = headers.authorization === "Bearer right";
    reply.writeHead(url !== "/v1/token" ? 404 : isRight ? 200 : 401).end("{}");
  });
  await check(server.url, "right");
  await expect(check(server.url, "wrong")).rejects.toThrow(/does not know the token: set MICROREMED_TOKEN/);
  await expect(check(`${server.url}/other`, "right")).rejects.toThrow(/is no gateway.*MICROREMED_URL/);
});

test("an address at which none answers is refused, with the reason", async () => {
  await using server = await serve(() => undefined);
  await expect(check(server.url, "t", 50)).rejects.toThrow(/no gateway answers at http.*timeout/);
  await server.end().catch(() => undefined);
  await expect(check(server.url, "t")).rejects.toThrow(
    `no gateway answers at ${server.url}: connection refused; start one with \`microremed up --gateway\``,
  );
});
