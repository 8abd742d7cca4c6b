import type { MessageContext } from "@microremed/bus";
import { type Agent, solverOf } from "@microremed/catalogue";
import {
  type BrokenTurn,
  noModel as noModelName,
  type Probe,
  type ProbeReply,
  type ProbeRequest,
  type SolveCommand,
  type StageBody,
} from "@microremed/contracts";
import { createRng, terminal } from "@microremed/core";
import {
  type ChatClient,
  type ModelEndpoint,
  type Models,
  stateSettings,
  withDeclared,
} from "@microremed/llm";
import { costSoFar, type SolveDeps, type Solved, solve } from "@microremed/solving";
import type { Conversations } from "@microremed/state";

export interface RemediateDeps {
  readonly catalogue: SolveDeps["catalogue"];
  readonly models: Pick<Models, "resolve">;
  /** A client for one turn, whose calls each end within `timeoutMs`. */
  readonly connectModel: (
    endpoint: ModelEndpoint,
    turn: { readonly timeoutMs: number; readonly episodeId: string },
  ) => ChatClient;
  readonly conversations: Pick<Conversations, "read" | "append">;
  readonly ask: (request: ProbeRequest, signal: AbortSignal) => Promise<ProbeReply>;
  readonly awaitPlaybook: (
    command: SolveCommand,
    seconds: number,
    take: (playbook: string) => Promise<void>,
  ) => Promise<boolean>;
  readonly serveSeat: ServeSeat;
}

/** Plays a turn with an outside agent in the place of a model. */
type ServeSeat = <T extends Solved>(
  command: SolveCommand,
  play: (seat: { readonly chat: ChatClient }) => Promise<T>,
) => Promise<T>;

export type RemediateContext = Pick<MessageContext, "signal" | "log" | "fields">;

/** Runs one turn of the command's agent with its model. Everything it keeps is in the conversation. */
export async function remediate(
  command: SolveCommand,
  deps: RemediateDeps,
  { signal, log, fields }: RemediateContext,
): Promise<StageBody<"solve">> {
  const { method, model, episodeId, trial, arena, concealment, historyFrom, probeSeconds } = command;
  Object.assign(fields, { method, model });
  const agent = deps.catalogue.agents.get(method);
  const solver = solverOf(agent);
  const endpoint = solver === "model" ? resolve(command, agent, deps.models) : undefined;
  const conversation = await deps.conversations.read({ episodeId, trial });
  const place = {
    episodeId,
    arena,
    ...(concealment && { concealment }),
    ...(historyFrom !== undefined && { historyFrom }),
  };
  const secondsFor = (probe: Probe): number => probeSeconds + (probe.kind === "wait" ? probe.seconds : 0);
  let length = conversation.length;
  const play = (chat: ChatClient) =>
    solve(command, {
      catalogue: deps.catalogue,
      conversation,
      chat,
      ask: (probe) => deps.ask({ ...place, probe, timeoutSeconds: secondsFor(probe) }, signal),
      append: async (messages) => {
        await deps.conversations.append({ episodeId, trial }, length, [...messages]);
        length += messages.length;
      },
      awaitPlaybook: (seconds, take) => deps.awaitPlaybook(command, seconds, take),
      now: () => performance.now(),
      log,
      signal,
    });
  const solution =
    solver === "session"
      ? await deps.serveSeat(command, ({ chat }) => play(chat))
      : await play(endpoint ? connect(endpoint, command, deps) : noModel);
  const { calls, promptTokens, completionTokens } = solution.usage;
  Object.assign(fields, { calls, prompt_tokens: promptTokens, completion_tokens: completionTokens });
  return { ...solution, ...(endpoint && { settings: stateSettings(endpoint) }) };
}

/**
 * What is said of a turn that has failed. Its agent has been given something when its opening is stored: from then on the model's
 * endpoint, or the agent's code, may have seen it, and may have brought the failure about.
 */
export async function givenBefore(
  command: SolveCommand,
  { conversations, catalogue }: Pick<RemediateDeps, "conversations" | "catalogue">,
): Promise<BrokenTurn> {
  const { episodeId, trial } = command;
  const conversation = await conversations.read({ episodeId, trial });
  if (conversation.length === 0) return { given: false };
  return { given: true, turn: costSoFar(command, { catalogue, conversation }) };
}

function connect(endpoint: ModelEndpoint, command: SolveCommand, deps: RemediateDeps): ChatClient {
  const { modelSeconds, episodeId, seed } = command;
  return deps.connectModel(seeded(endpoint, seed), { timeoutMs: modelSeconds * 1000, episodeId });
}

/** The model of a command. Throws `invalid-config` when the command limits the cost and the price of a token is not known. */
function resolve(
  { model, budgets }: SolveCommand,
  { settings = {} }: Pick<Agent, "settings">,
  models: RemediateDeps["models"],
): ModelEndpoint {
  const found = models.resolve(model);
  const endpoint = found.ruleBased ? found : withDeclared(found, settings);
  if (budgets.cost === null || endpoint.prices !== null) return endpoint;
  throw terminal(
    "invalid-config",
    `budgets.cost limits the cost of an episode, but model ${JSON.stringify(model)} has no prices in the models file; add them, or remove the limit`,
  );
}

/** Rule-based policies draw from the episode's seed; language models do not get the seed, because not all of them support one. */
function seeded(endpoint: ModelEndpoint, seed: string): ModelEndpoint {
  if (!endpoint.ruleBased) return endpoint;
  return { ...endpoint, parameters: { ...endpoint.parameters, seed: createRng(seed).int(2 ** 31 - 1) } };
}

const noModel: ChatClient = {
  model: noModelName,
  complete: async () => {
    throw terminal(
      "invalid-config",
      "an agent that is to work without a model has called one: leave out `byHand` and `code`, or `loop` and `once`",
    );
  },
};
