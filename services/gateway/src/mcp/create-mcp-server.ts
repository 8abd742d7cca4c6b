import { Spent } from "@microremed/contracts";
import { AppError, harnessVersion } from "@microremed/core";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { currentView } from "../sessions/next-problem.ts";
import { callTool, nextTool, type ToolResult } from "./call-tool.ts";
import type { McpDeps, McpWorker } from "./mcp-deps.ts";
import { problemText } from "./problem-text.ts";
import { telemetryCall, telemetryResources, telemetryTemplates } from "./telemetry.ts";

const instructions =
  "You are an engineer on call for a microservice system on Kubernetes. Call next_problem first: it says what is asked for. Work on it with the other tools, and call submit when you are done: with the answer, where one is asked for, and without arguments where the system is to be repaired. Then call next_problem again, until no problem is left.";

const promptName = "problem";
/** In `_meta` of a call: what the client has used up since the last answer, as `spent` over HTTP. */
const spentMeta = "microremed/spent";

/** Nothing is asked of clients, so nothing of theirs is checked; the SDK's own checker takes a millisecond to make. */
const jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "not supported" }),
};

/** Answers the MCP requests of one worker. It keeps nothing: each HTTP request may have one of its own, at any replica. */
export function createMcpServer(deps: McpDeps, worker: McpWorker): Server {
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} };
  const info = { name: "microremed", title: "MicroRemed", version: harnessVersion };
  const server = new Server(info, { capabilities, instructions, jsonSchemaValidator });
  const view = () => orError(() => currentView(deps, worker));

  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const tools = (await view())?.tools ?? deps.usualTools;
    return {
      tools: [nextTool, ...tools].map(({ name, description, parameters }) => ({
        ...{ name, description },
        inputSchema: { ...parameters, type: "object" as const },
      })),
    };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const ended = AbortSignal.any([worker.signal, extra.signal]);
    const result = await orError(() =>
      callTool(
        deps,
        { ...worker, signal: ended },
        {
          ...{ name: params.name, args: params.arguments ?? {} },
          spent: spentIn(params),
        },
      ),
    );
    if (result.isNewTurn) await extra.sendNotification({ method: "notifications/tools/list_changed" });
    return { content: [{ type: "text", text: result.text }], isError: result.isError };
  });
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: [{ name: promptName, title: "The problem", description: "The words of the problem to work on" }],
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    if (params.name !== promptName)
      throw unknown(`there is no prompt ${params.name}; there is ${promptName}`);
    const found = await view();
    const text = found
      ? problemText(found)
      : `${instructions}\n\nThere is no problem yet: call next_problem.`;
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: telemetryResources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: telemetryTemplates,
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    const { uri } = params;
    const call = telemetryCall(uri);
    if (!call) throw unknown(`there is no resource ${uri.slice(0, 200)}`);
    const asked = { name: call.tool, args: call.args, spent: spentIn(params) };
    const ended = AbortSignal.any([worker.signal, extra.signal]);
    const result = await orError<ToolResult>(() => callTool(deps, { ...worker, signal: ended }, asked));
    const { text, isError, isAnswered = false } = result;
    if (isError) throw new McpError(ErrorCode.InvalidParams, text, { answered: isAnswered });
    return { contents: [{ uri, mimeType: "text/plain", text }] };
  });
  return server;
}

const spentIn = ({ _meta }: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }) =>
  Spent.safeParse(_meta?.[spentMeta]).data;

const unknown = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message);

/** An error of ours as MCP has it: what the caller got wrong in words, a defect without its details. */
async function orError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    if (code === "internal") throw new McpError(ErrorCode.InternalError, "the range could not do this");
    throw new McpError(ErrorCode.InvalidRequest, message);
  }
}
