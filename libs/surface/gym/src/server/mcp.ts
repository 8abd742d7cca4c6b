import { AppError, harnessVersion, isJsonObject } from "@microremed/core";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { CaseRequest } from "../episode/case-request.ts";
import { toolsAsMcp } from "./play.ts";
import type { Sessions } from "./sessions.ts";

/** A session of MCP: one episode after the other. It knows only which one it is at. */
export interface McpSession {
  episode: string | undefined;
}

const beginTool = {
  name: "new_episode",
  description:
    "Begins an episode, and ends the one before. Its answer has the words of the problem; then list the tools again.",
  inputSchema: { ...z.toJSONSchema(CaseRequest, { io: "input" }), type: "object" as const },
};

/** What a call of a tool answers. */
interface Called {
  readonly text: string;
  readonly reward: number | null;
  readonly done: boolean;
}

/** The tools that a session can call now. */
async function toolsFor(sessions: Sessions, { episode }: McpSession) {
  return [beginTool, ...(episode === undefined ? [] : toolsAsMcp(await sessions.tools(episode)))];
}

/** Calls a tool. Throws what the gym throws. */
async function callFor(
  sessions: Sessions,
  session: McpSession,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Called> {
  if (name === beginTool.name) {
    const { episode: before } = session;
    session.episode = undefined;
    if (before !== undefined) await sessions.close(before);
    const { observation, reward, done } = await sessions.reset(args);
    session.episode = observation.episode_id;
    return { text: observation.text, reward, done };
  }
  if (session.episode === undefined)
    throw new AppError("invalid-request", `there is no episode yet: call ${beginTool.name} first`);
  const { observation, reward, done } = await sessions.step(session.episode, {
    tool: name,
    arguments: { ...args },
  });
  return { text: observation.text, reward, done };
}

const jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

/** The MCP server of one session. */
export function createMcpServer(sessions: Sessions, session: McpSession): Server {
  const server = new Server(
    { name: "microremed-gym", title: "MicroRemed's gym", version: harnessVersion },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: beginTool.description,
      jsonSchemaValidator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: await asMcp(() => toolsFor(sessions, session)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    const { text, reward, done } = await asMcp(() => callFor(sessions, session, name, args));
    return { content: [{ type: "text", text }], structuredContent: { reward, done } };
  });
  return server;
}

async function asMcp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    throw new McpError(code === "internal" ? ErrorCode.InternalError : ErrorCode.InvalidRequest, message);
  }
}

/** OpenEnv's own form of MCP over plain JSON-RPC: sessions are made by a method, and named in the parameters. */
const RpcRequest = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.int()]).nullish(),
});

/** Whether a message is OpenEnv's form and not MCP's own. */
export function isOpenEnvMessage(message: unknown): boolean {
  if (!isJsonObject(message)) return false;
  const { method, params } = message;
  const names = isJsonObject(params) && "session_id" in params;
  return names || (typeof method === "string" && method.startsWith("openenv/"));
}

/** Where sessions of OpenEnv's form are kept. */
export interface RpcSessions {
  create(): string;
  get(id: string): McpSession | undefined;
  end(id: string): Promise<void>;
}

/** Answers a message of OpenEnv's form. Never throws. */
export async function answerRpc(sessions: Sessions, kept: RpcSessions, message: unknown): Promise<object> {
  const { data, error } = RpcRequest.safeParse(message);
  const id = data?.id ?? null;
  const failed = (code: number, text: string) => ({ jsonrpc: "2.0", id, error: { code, message: text } });
  const well = (result: unknown) => ({ jsonrpc: "2.0", id, result });
  if (error) return failed(-32600, `the message is no JSON-RPC request: ${error.issues[0]?.message}`);
  const { method, params } = data;
  try {
    if (method === "openenv/session/create") return well({ session_id: kept.create() });
    const sessionId = String(params["session_id"] ?? "");
    const session = kept.get(sessionId);
    if (!session) return failed(-32602, `there is no session ${sessionId}: openenv/session/create makes one`);
    switch (method) {
      case "openenv/session/close":
        await kept.end(sessionId);
        return well({ session_id: sessionId, closed: true });
      case "tools/list":
        return well({ tools: await toolsFor(sessions, session) });
      case "tools/call": {
        const args = params["arguments"];
        const called = await callFor(
          sessions,
          session,
          String(params["name"] ?? ""),
          isJsonObject(args) ? args : {},
        );
        return well({ content: [{ type: "text", text: called.text }], data: called, isError: false });
      }
      default:
        return failed(-32601, `there is no method ${method}`);
    }
  } catch (thrown) {
    return failed(-32603, AppError.from(thrown).message);
  }
}
