import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { aGame, aTurn } from "./a-game.ts";
import { type Ask, json } from "./a-gateway.ts";
import type { GatewaySuite } from "./test-gateway.ts";

interface RpcError {
  readonly id: unknown;
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly code: string };
  };
}

const accept = "application/json, text/event-stream";
const hello = {
  ...{ jsonrpc: "2.0", id: 7, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "tester", version: "1" } },
};

export function testMcpErrors({ gateway, backbone }: GatewaySuite): void {
  const post = async (
    ask: Ask,
    path: string,
    message: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: RpcError }> => {
    const headers = { "content-type": "application/json", accept, ...more };
    const reply = await ask(`/mcp${path}`, { ...json(message), headers });
    return { status: reply.status, body: (await reply.json()) as RpcError };
  };
  const open = async (ask: Ask): Promise<string> => {
    const reply = await ask("/v1/sessions", json({ agent: "tester", suite: "range@2" }));
    return String(((await reply.json()) as { id: unknown }).id);
  };

  test("what is wrong with a first message is its JSON-RPC error, with words, the request's id and a code of ours", async () => {
    const agent = await gateway().as("agent", { name: "tester", mostSessions: 1 });
    const guest = await gateway().as("agent", { name: "guest", opens: false });
    const wrong = [
      [agent, "", "invalid-request", /add \?suite=/],
      [agent, "?suite=nowhere@1", "invalid-request", /there is no suite/],
      [agent, "?suite=range@2&seed=lunch", "invalid-request", /seed/],
      [agent, "?suite=range@2&colour=red", "invalid-request", /colour/],
      [guest, "?suite=range@2", "forbidden", /may join experiments/],
    ] as const;
    for (const [ask, path, code, words] of wrong)
      expect([path, await post(ask, path, hello)]).toMatchObject([
        path,
        {
          status: 200,
          body: { id: 7, error: { code: -32_600, message: expect.stringMatching(words), data: { code } } },
        },
      ]);
    await open(agent);
    expect(await post(agent, "?suite=range@2", hello)).toMatchObject({
      status: 200,
      body: {
        id: 7,
        error: { message: expect.stringContaining("1 open sessions"), data: { code: "too-many-requests" } },
      },
    });
  });

  test("what MCP has a status for has it, and words beside it", async () => {
    const agent = await gateway().as("agent", { name: "tester" });
    const nameless = await post(agent, "?suite=range@2", { ...hello, id: 8, method: "tools/list" });
    expect(nameless).toMatchObject({
      status: 400,
      body: { id: 8, error: { message: expect.stringContaining("mcp-session-id") } },
    });
    const bare = await post(gateway().anonymously, "?suite=range@2", hello);
    expect(bare).toMatchObject({
      status: 401,
      body: { id: null, error: { data: { code: "unauthorized" } } },
    });
    const gone = await post(
      agent,
      "",
      { ...hello, method: "tools/list" },
      { "mcp-session-id": `s${"0".repeat(20)}` },
    );
    expect(gone).toMatchObject({
      status: 404,
      body: { id: 7, error: { data: { code: "unknown-session" } } },
    });
    expect((await agent("/mcp")).status).toBe(405);
  });

  test("two sessions in one request, or an open one beside what a new one would be, are refused", async () => {
    await using game = await aGame(backbone().bus);
    game.turns.set("e-1.0000", aTurn("e-1.0000"));
    await using _seat = await game.seat("e-1.0000");
    const agent = await gateway().as("agent", { name: "tester" });
    const [one, two] = [await open(agent), await open(agent)];
    const list = { ...hello, method: "tools/list", params: {} };
    const both = await post(agent, `?session=${one}`, list, { "mcp-session-id": two });
    expect(both.body.error).toMatchObject({ message: expect.stringMatching(/leave out one of them/) });
    const mixed = await post(agent, `?session=${one}&suite=range@2`, hello);
    expect(mixed.body.error).toMatchObject({ message: expect.stringContaining("`suite`") });
    const ending = await agent(`/mcp?session=${one}`, {
      method: "DELETE",
      headers: { "mcp-session-id": two },
    });
    expect(ending.status).toBe(400);
    const same = await agent(`/mcp?session=${one}`, {
      ...json(list),
      headers: { "content-type": "application/json", accept, "mcp-session-id": one },
    });
    expect(same.status).toBe(200);
  });

  test("the SDK's client shows the words", async () => {
    const agent = await gateway().as("agent", { name: "tester" });
    const client = new Client({ name: "tester", version: "1" });
    const headers = { authorization: `Bearer ${agent.text}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway().url}/mcp?suite=nowhere@1`), {
      requestInit: { headers },
    });
    await expect(client.connect(transport)).rejects.toThrow(/there is no suite "nowhere@1"/);
    await client.close();
  });
}
