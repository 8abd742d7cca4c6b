import type { ChatMessage, ToolCall } from "@microremed/contracts";
import type { ToolSpec } from "@microremed/llm";
import { playbookOf, printPlaybook } from "./tools.ts";
import type { Turn } from "./turn.ts";

/** The tool message that belongs to a call. */
export function toolMessage(call: ToolCall, content: string): Extract<ChatMessage, { role: "tool" }> {
  return { role: "tool", toolCallId: call.id, content };
}

/** Answers the calls of an answer that held a playbook, so that no call stays without its tool message. */
export async function acknowledge(turn: Turn, pending: readonly ToolCall[]): Promise<void> {
  if (pending.length === 0) return;
  const words = (call: ToolCall): string => {
    if (call.name !== printPlaybook.name) return "Not run: a playbook was handed in.";
    const argument = playbookOf(call);
    return "problem" in argument ? argument.problem : "The playbook was received.";
  };
  await turn.say(...pending.map((call) => toolMessage(call, words(call))));
}

/** What a call gets that names no tool of ours. */
export function unknownTool(call: ToolCall, tools: readonly ToolSpec[]): string {
  const names = tools.map((tool) => tool.name).join(", ");
  return `Error: there is no tool ${JSON.stringify(call.name.slice(0, 100))}. Tools: ${names}.`;
}
