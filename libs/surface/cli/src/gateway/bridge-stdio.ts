import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  ErrorCode,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import type { GatewayAccess } from "./find-gateway.ts";

export interface BridgeOptions {
  readonly access: GatewayAccess;
  /** Which problems the client gets, as the gateway's address says it. */
  readonly query: Readonly<Record<string, string>>;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Passes MCP messages between this process's standard input and output and a gateway, until the input ends. */
export async function bridgeStdio({ access, query, signal, say }: BridgeOptions): Promise<void> {
  const url = new URL("/mcp", access.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { authorization: `Bearer ${access.token}` };
  const gateway = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();

  gateway.onmessage = (message: JSONRPCMessage) => {
    // What both have agreed on goes with every later request.
    const result = isJSONRPCResultResponse(message)
      ? InitializeResultSchema.safeParse(message.result)
      : undefined;
    if (result?.success) gateway.setProtocolVersion(result.data.protocolVersion);
    void client.send(message);
  };
  client.onmessage = (message: JSONRPCMessage) => {
    gateway.send(message).catch((thrown: unknown) => {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      say(`the gateway did not answer: ${text}`);
      if (!isJSONRPCRequest(message)) return;
      const error = { code: ErrorCode.InternalError, message: text };
      void client.send({ jsonrpc: "2.0", id: message.id, error });
    });
  };
  process.stdin.once("end", end);
  client.onclose = end;
  signal.addEventListener("abort", end);
  await gateway.start();
  await client.start();
  await ended.promise;
  await gateway.terminateSession().catch(() => undefined);
  await gateway.close();
  await client.close();
}
