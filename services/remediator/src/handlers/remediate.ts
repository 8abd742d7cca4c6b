import type { MessageContext } from "@microremed/bus";
import type { ProbeReply, ProbeRequest, RemediateCommand } from "@microremed/contracts";
import type { ChatClient, ModelEndpoint, Models } from "@microremed/llm";
import { methodNamed, type TurnResult } from "@microremed/methods";
import type { StageBody } from "@microremed/service-kit";
import type { Conversations } from "@microremed/state";

export interface RemediateDeps {
  readonly models: Pick<Models, "resolve">;
  /** A client whose calls each end within `timeoutMs`. */
  readonly connectModel: (endpoint: ModelEndpoint, timeoutMs: number) => ChatClient;
  readonly conversations: Pick<Conversations, "read" | "append">;
  readonly probe: (request: ProbeRequest, signal: AbortSignal) => Promise<ProbeReply>;
}

export type RemediateContext = Pick<MessageContext, "signal" | "log" | "fields">;

/** Runs one turn of the command's method with its model. Everything it keeps is in the conversation. */
export async function remediate(
  command: RemediateCommand,
  deps: RemediateDeps,
  { signal, log, fields }: RemediateContext,
): Promise<StageBody<"remediate">> {
  Object.assign(fields, { method: command.method, model: command.model });
  const method = methodNamed(command.method);
  const chat = deps.connectModel(deps.models.resolve(command.model), command.modelSeconds * 1000);
  const { episodeId, trial, arena, probeSeconds } = command;
  const conversation = await deps.conversations.read({ episodeId, trial });
  let length = conversation.length;
  const result = await method.runTurn({
    command,
    conversation,
    chat,
    probe: (line) =>
      deps.probe(
        { episodeId, arena, probe: { kind: "command", command: line }, timeoutSeconds: probeSeconds },
        signal,
      ),
    append: async (messages) => {
      await deps.conversations.append({ episodeId, trial }, length, [...messages]);
      length += messages.length;
    },
    log,
    signal,
  });
  const { calls, promptTokens, completionTokens } = result.usage;
  Object.assign(fields, { calls, prompt_tokens: promptTokens, completion_tokens: completionTokens });
  return bodyOf(result);
}

function bodyOf(result: TurnResult): StageBody<"remediate"> {
  const { usage, probes } = result;
  if (result.kind !== "playbook") return { status: result.kind, reason: result.reason, usage, probes };
  return { status: "playbook", playbook: result.playbook, source: result.source, usage, probes };
}
