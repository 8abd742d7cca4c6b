import type { ChatMessage } from "@microremed/contracts";
import type { ChatRequest, ToolSpec } from "./chat.types.ts";

/** Tools for models that have none: they are described in the prompt, called in lines of text and answered by the user. */
export const textTools = {
  /** The model must not go on and invent the observation. */
  stop: ["\nObservation:"],
  rewrite({ messages, tools = [] }: ChatRequest): Pick<ChatRequest, "messages" | "tools"> {
    if (tools.length === 0) return { messages };
    const [first, ...rest] = messages;
    const manual = manualOf(tools);
    const opening: ChatMessage[] =
      first?.role === "system"
        ? [{ role: "system", content: `${first.content}\n\n${manual}` }, ...rest]
        : [{ role: "system", content: manual }, ...messages];
    return { messages: joined(opening.map(asText)) };
  },
};

function manualOf(tools: readonly ToolSpec[]): string {
  const described = tools.map(
    (tool) => `- ${tool.name}: ${tool.description}\n  Its input: ${JSON.stringify(tool.parameters)}`,
  );
  return `# Tools
${described.join("\n")}

To call a tool, end your answer with these two lines and nothing after them:
Action: <name of the tool>
Action Input: <one JSON object with the tool's input>
The result comes back as a message that begins with "Observation:".`;
}

function asText(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { role: "user", content: `Observation: ${message.content}` };
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message;
  const calls = message.toolCalls.map(
    ({ name, arguments: input }) => `Action: ${name}\nAction Input: ${input}`,
  );
  return {
    role: "assistant",
    content: [message.content, ...calls].filter(Boolean).join("\n"),
    toolCalls: [],
  };
}

/** Several models refuse two messages of the same role in a row. */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role === "user" && message.role === "user") {
      result[result.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    } else result.push(message);
  }
  return result;
}
