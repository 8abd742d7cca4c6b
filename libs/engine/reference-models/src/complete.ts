import { isJsonObject, parseJson } from "@microremed/core";
import type { ReferenceName } from "@microremed/llm/reference-names";
import type { ChatCompletionRequest } from "./chat-request.ts";
import { policies } from "./policies/index.ts";
import type { Library, Move, Policy, Situation } from "./policy.ts";
import { readSituation } from "./read-situation.ts";

/** What is behind a name; it is in every list and answer. */
export const kindOf = (name: ReferenceName): string =>
  name === "reference/learned" ? "small-network" : "rule-based";

/** The answer to one chat completion request. Pure but for `createdAt` (s since the epoch), which is only stamped on it. */
export function complete(request: ChatCompletionRequest, library: Library, createdAt: number) {
  const situation = readSituation(request);
  const move = situation && moveOf(policies[request.model], situation, library);
  const message = move ? moveMessage(move, request) : proseMessage;
  const promptTokens = tokensOf([request.messages, toolNames(request)]);
  const completionTokens = tokensOf(message);
  return {
    id: `chatcmpl-${request.messages.length}`,
    object: "chat.completion",
    created: createdAt,
    model: request.model,
    system_fingerprint: `${kindOf(request.model)}-1`,
    choices: [
      { index: 0, message, finish_reason: "tool_calls" in message ? "tool_calls" : "stop", logprobs: null },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

const proseMessage = {
  role: "assistant",
  content:
    "This is a reference model, not a language model: it answers MicroRemed's failure reports only, and found none.",
};

function moveOf(policy: Policy, situation: Situation, library: Library): Move {
  const { answer } = situation;
  return answer === null
    ? policy.repair(situation, library)
    : policy.answer({ ...situation, answer }, library);
}

function callOf(move: Move, request: ChatCompletionRequest): readonly [string, unknown] {
  const has = (name: string): boolean => request.tools.some((tool) => tool.function.name === name);
  if ("probe" in move) return [has("probe_system") ? "probe_system" : "exec_shell", { command: move.probe }];
  if ("call" in move) return [move.call.tool, move.call.arguments];
  if ("answer" in move) return ["submit", move.answer];
  const { playbook, command } = move;
  if (has("print_playbook") || !has("exec_shell")) return ["print_playbook", { playbook }];
  return command === undefined || wasCalled(command, request) ? ["submit", {}] : ["exec_shell", { command }];
}

/** Whether a command was called in this turn. Clients write a call's arguments again, with other spaces. */
function wasCalled(command: string, { messages }: ChatCompletionRequest): boolean {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const calls = turn.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.arguments));
  return calls.some((text) => {
    const given = parseJson(text);
    return isJsonObject(given) && given["command"] === command;
  });
}

function moveMessage(move: Move, request: ChatCompletionRequest) {
  const { messages, tools } = request;
  const [name, args] = callOf(move, request);
  if ("playbook" in move && !tools.some((tool) => tool.function.name === name)) {
    return { role: "assistant", content: `\`\`\`yaml\n${move.playbook}\`\`\`` };
  }
  const call = { name, arguments: JSON.stringify(args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id: `call_${messages.length}`, type: "function", function: call }],
  };
}

/** Tools count by their names alone, as they always have: what a policy costs can be compared over versions. */
const toolNames = ({ tools }: ChatCompletionRequest) =>
  tools.map(({ function: { name } }) => ({ function: { name } }));

/** Rules have no tokenizer: a token is four characters of JSON. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
