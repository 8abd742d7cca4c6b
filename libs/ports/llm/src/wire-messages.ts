import type { ChatMessage, ToolCall } from "@microremed/contracts";
import { isJsonObject, parseJson } from "@microremed/core";
import type { ToolSpec } from "./chat.types.ts";
import type { Dialect } from "./dialects/dialect.ts";

export function toWireMessage(message: ChatMessage, dialect: Dialect): Record<string, unknown> {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant":
      if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
      return {
        role: "assistant",
        content: message.content || null,
        ...(dialect.thinkingField !== undefined &&
          message.reasoning !== undefined && { [dialect.thinkingField]: message.reasoning }),
        tool_calls: message.toolCalls.map(toWireCall),
      };
  }
}

function toWireCall(call: ToolCall) {
  return {
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: readableArguments(call.arguments) },
    ...call.extra,
  };
}

/** Several servers parse the arguments of earlier calls and refuse the whole request when they are no JSON object. */
function readableArguments(text: string): string {
  if (isJsonObject(parseJson(text))) return text;
  return JSON.stringify({ invalid: text });
}

export function toWireTool(tool: ToolSpec): Record<string, unknown> {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
  };
}
