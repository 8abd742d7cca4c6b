import type { MessageContext } from "@microremed/bus";
import type { ModelSettings, ProbeReply, ProbeRequest, SolveCommand, StageBody } from "@microremed/contracts";
import { createRng, terminal } from "@microremed/core";
import { type ChatClient, type ModelEndpoint, type Models, stateSettings } from "@microremed/llm";
import { methodNamed, type TurnResult } from "@microremed/methods";
import type { Conversations } from "@microremed/state";

export interface RemediateDeps {
  readonly models: Pick<Models, "resolve">;
  /** A client whose calls each end within `timeoutMs`. */
  readonly connectModel: (endpoint: ModelEndpoint, timeoutMs: number) => ChatClient;
  readonly conversations: Pick<Conversations, "read" | "append">;
  readonly probe: (request: ProbeRequest, signal: AbortSignal) => Promise<ProbeReply>;
  readonly awaitPlaybook: (
    command: SolveCommand,
    seconds: number,
    take: (playbook: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

export type RemediateContext = Pick<MessageContext, "signal" | "log" | "fields">;

/** Runs one turn of the command's method with its model. Everything it keeps is in the conversation. */
export async function remediate(
  command: SolveCommand,
  deps: RemediateDeps,
  { signal, log, fields }: RemediateContext,
): Promise<StageBody<"solve">> {
  Object.assign(fields, { method: command.method, model: command.model });
  const method = methodNamed(command.method);
  const endpoint = method.byHand ? undefined : resolve(command, deps.models);
  const { episodeId, trial, arena, concealment, probeSeconds } = command;
  const conversation = await deps.conversations.read({ episodeId, trial });
  let length = conversation.length;
  const result = await method.runTurn({
    command,
    conversation,
    chat: endpoint ? deps.connectModel(seeded(endpoint, command.seed), command.modelSeconds * 1000) : nobody,
    probe: (probe) =>
      deps.probe(
        {
          episodeId,
          arena,
          ...(concealment && { concealment }),
          probe,
          timeoutSeconds: probeSeconds,
        },
        signal,
      ),
    append: async (messages) => {
      await deps.conversations.append({ episodeId, trial }, length, [...messages]);
      length += messages.length;
    },
    awaitPlaybook: (seconds, take) => deps.awaitPlaybook(command, seconds, take, signal),
    now: () => performance.now(),
    log,
    signal,
  });
  const { calls, promptTokens, completionTokens } = result.usage;
  Object.assign(fields, { calls, prompt_tokens: promptTokens, completion_tokens: completionTokens });
  return bodyOf(result, endpoint ? { settings: stateSettings(endpoint) } : {});
}

/** The model of a command. Throws `invalid-config` when the command bounds money and nobody knows what a token costs. */
function resolve({ model, budgets }: SolveCommand, models: RemediateDeps["models"]): ModelEndpoint {
  const endpoint = models.resolve(model);
  if (budgets.cost === null || endpoint.prices !== null) return endpoint;
  throw terminal(
    "invalid-config",
    `budgets.cost bounds the money of an episode, but model ${JSON.stringify(model)} has no prices in the models file`,
  );
}

/** Rule-based policies draw from the episode's seed; language models are not told, for not all of them could. */
function seeded(endpoint: ModelEndpoint, seed: string): ModelEndpoint {
  if (!endpoint.ruleBased) return endpoint;
  return { ...endpoint, parameters: { ...endpoint.parameters, seed: createRng(seed).int(2 ** 31 - 1) } };
}

const nobody: ChatClient = {
  model: "nobody",
  complete: async () => {
    throw terminal("internal", "a method by hand asked a model");
  },
};

function bodyOf(result: TurnResult, settings: { settings?: ModelSettings }): StageBody<"solve"> {
  switch (result.kind) {
    case "playbook": {
      const { kind: status, ...body } = result;
      return { status, ...body, ...settings };
    }
    case "done": {
      const { kind: status, ...body } = result;
      return { status, ...body, ...settings };
    }
    case "no-playbook": {
      const { kind: status, ...body } = result;
      return { status, ...body, ...settings };
    }
    default:
      return result satisfies never;
  }
}
