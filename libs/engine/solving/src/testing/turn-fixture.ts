import type { Agent, Task, Tool } from "@microremed/catalogue";
import { Budgets, type ChatMessage, type ProbeReply, type SolveCommand } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import type { ChatReply, ChatRequest } from "@microremed/llm";
import { anExchange } from "@microremed/llm/testing";
import { builtInCatalogue, type Entries } from "@microremed/registry";
import { type SolveDeps, solve } from "../solve.ts";

export function aCommand(overrides: Partial<SolveCommand> = {}): SolveCommand {
  return {
    experimentId: "exp-1",
    episodeId: "exp-1.0003",
    trial: 1,
    attempt: 1,
    arena: { cluster: "sim-0", slot: 0, namespace: "online-boutique", fence: 4 },
    environment: "online-boutique",
    failure: "cpu-stress",
    target: "cartservice",
    method: "ThinkRemed",
    model: "some-model",
    maxAttempts: 2,
    maxProbes: 3,
    probeSeconds: 10,
    modelSeconds: 60,
    budgets: Budgets.parse({}),
    playbook: null,
    seed: "1/3",
    feedback: null,
    ...overrides,
  };
}

export const text = (content: string): ChatReply => ({
  content,
  toolCalls: [],
  usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0, reasoningTokens: 0, cost: 0.25 },
  exchange: anExchange(),
});

/** An answer with these calls, `[name, arguments]`, with the ids c1, c2, ... of one answer. */
export const calls = (...list: readonly (readonly [string, unknown])[]): ChatReply => ({
  ...text(""),
  toolCalls: list.map(([name, args], index) => ({
    id: `c${index + 1}`,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  })),
});

export const playbook = "- hosts: k3s_control_plane\n  gather_facts: false\n  tasks: []\n";

export interface TurnFixture extends SolveDeps {
  readonly command: SolveCommand;
  /** What the model was sent, call by call. */
  readonly requests: ChatRequest[];
  readonly probed: string[];
  /** The conversation as it is stored. */
  readonly stored: ChatMessage[];
}

const catalogue = await builtInCatalogue();

function withMore<T extends { readonly name: string }>(
  entries: Entries<T>,
  more: readonly T[] = [],
): Entries<T> {
  const get = (name: string): T => more.find((one) => one.name === name) ?? entries.get(name);
  return { ...entries, get, all: () => [...entries.all(), ...more] };
}

/** Whether the request offers something that ends the turn. */
export const handsIn = ({ tools = [] }: ChatRequest): boolean =>
  tools.some(({ name }) => name === "print_playbook" || name === "submit");

const callsOnly = ({ toolCalls }: ChatReply, { tools = [] }: ChatRequest): boolean =>
  toolCalls.every((call) => tools.some(({ name }) => name === call.name));

/** A turn's context whose model gives `replies` in order; one that throws ends the turn as a dead process would. */
export function aTurn(
  replies: readonly (ChatReply | Error)[],
  options: {
    command?: SolveCommand;
    stored?: readonly ChatMessage[];
    probeReply?: ProbeReply | ((what: string) => ProbeReply);
    byHand?: string;
    /** In the place of the task that the command asks for. */
    task?: Task;
    catalogue?: SolveDeps["catalogue"];
    /** Besides those that come with the product. */
    tools?: readonly Tool[];
    agents?: readonly Agent[];
    /** The model leaves out replies that call what it is not offered. */
    callsOnlyOffered?: true;
    /** What the model says in words beside the turn, where nothing can be handed in. */
    aside?: string;
  } = {},
): TurnFixture {
  const stored = [...(options.stored ?? [])];
  const requests: ChatRequest[] = [];
  const probed: string[] = [];
  const left = [...replies];
  return {
    command: options.command ?? aCommand(),
    catalogue: options.catalogue ?? {
      agents: withMore(catalogue.agents, options.agents),
      tools: withMore(catalogue.tools, options.tools),
      tasks: options.task
        ? { ...catalogue.tasks, get: () => options.task ?? catalogue.tasks.get("mitigation") }
        : catalogue.tasks,
    },
    conversation: [...stored],
    chat: {
      model: "some-model",
      complete: async (request) => {
        requests.push({ ...request, messages: [...request.messages] });
        if (options.aside !== undefined && !handsIn(request)) return text(options.aside);
        const may = (reply: ChatReply | Error): boolean =>
          reply instanceof Error || options.callsOnlyOffered === undefined || callsOnly(reply, request);
        while (left[0] !== undefined && !may(left[0])) left.shift();
        const reply = left.shift();
        if (reply === undefined) throw new Error("the script has no further reply");
        if (reply instanceof Error) throw reply;
        return reply;
      },
    },
    ask: async (probe) => {
      const what = probe.kind === "command" ? probe.command : JSON.stringify(probe);
      probed.push(what);
      const { probeReply } = options;
      if (typeof probeReply === "function") return probeReply(what);
      return probeReply ?? { status: "ok", exitCode: 0, output: `output of ${what}` };
    },
    awaitPlaybook: async (_seconds, take) => {
      if (options.byHand === undefined) return false;
      await take(options.byHand);
      return true;
    },
    now: () => 0,
    append: async (messages) => {
      stored.push(...messages);
    },
    log: silentLogger,
    signal: new AbortController().signal,
    requests,
    probed,
    stored,
  };
}

/** Plays a turn of one agent. */
export const play = (method: string, turn: TurnFixture) => solve({ ...turn.command, method }, turn);

/** Every call of every answer must be answered exactly once, before anything else is said. */
export function unpairedCalls(messages: readonly ChatMessage[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.toolCallId)) problems.push(`answer to nothing: ${message.toolCallId}`);
      continue;
    }
    problems.push(...[...open].map((id) => `unanswered: ${id}`));
    open = new Set(message.role === "assistant" ? message.toolCalls.map((call) => call.id) : []);
  }
  return [...problems, ...[...open].map((id) => `unanswered: ${id}`)];
}

/** Messages as a person reads them, for goldens. */
export function transcript(messages: readonly ChatMessage[]): string {
  const head = (message: ChatMessage): string => {
    const who = message.role === "tool" ? `tool ${message.toolCallId}` : message.role;
    const appended = message.role === "user" && message.appended ? ", appended to the answer before" : "";
    return `${who}${message.thread === undefined ? "" : ` (${message.thread})`}${appended}`;
  };
  const toolCalls = (message: ChatMessage): string =>
    message.role === "assistant"
      ? message.toolCalls.map((call) => `\n-> ${call.id} ${call.name} ${call.arguments}`).join("")
      : "";
  return `${messages.map((message) => `=== ${head(message)}\n${message.content}${toolCalls(message)}`).join("\n\n")}\n`;
}
