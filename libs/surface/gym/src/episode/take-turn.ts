import type { ChatMessage, ProbeReply, ProbeRequest, SolveCommand, StageBody } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { ChatReply, ChatRequest } from "@microremed/llm";
import { type SolveDeps, solve } from "@microremed/solving";

/** What a turn is played with. */
export interface TurnDeps {
  readonly catalogue: SolveDeps["catalogue"];
  readonly ask: (request: ProbeRequest) => Promise<ProbeReply>;
  readonly now: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The turn waits for the agent's next answer, or it is over. The conversation is as it is now. */
export type Turn = { readonly conversation: readonly ChatMessage[] } & (
  | { readonly asked: Pick<ChatRequest, "tools"> }
  | { readonly body: StageBody<"solve"> }
);

/** Thrown where the agent would be asked again: a turn keeps nothing that is not in its conversation. */
class Asked extends Error {
  readonly request: ChatRequest;
  constructor(request: ChatRequest) {
    super("the turn waits for the agent");
    this.request = request;
  }
}

/**
 * Goes on with a turn until the agent is asked next. `answer`: what it says to the question that is open; absent: the turn
 * begins, or an action is over after which it goes on. Throws what the harness or the cluster gets wrong.
 */
export async function takeTurn(
  command: SolveCommand,
  before: readonly ChatMessage[],
  answer: ChatReply | undefined,
  { ask, ...deps }: TurnDeps,
): Promise<Turn> {
  const { episodeId, arena, concealment, historyFrom, probeSeconds } = command;
  const place = {
    episodeId,
    arena,
    ...(concealment && { concealment }),
    ...(historyFrom !== undefined && { historyFrom }),
  };
  const conversation = [...before];
  let said = answer;
  const complete = async (request: ChatRequest): Promise<ChatReply> => {
    const reply = said;
    said = undefined;
    if (reply) return reply;
    throw new Asked(request);
  };
  try {
    const body = await solve(command, {
      ...deps,
      conversation: before,
      append: async (messages) => void conversation.push(...messages),
      chat: { model: command.model, complete },
      ask: (probe) =>
        ask({
          ...{ ...place, probe },
          timeoutSeconds: probeSeconds + (probe.kind === "wait" ? probe.seconds : 0),
        }),
      awaitPlaybook: async () => false,
    });
    return { conversation, body };
  } catch (thrown) {
    if (!(thrown instanceof Asked)) throw thrown;
    const { tools = [] } = thrown.request;
    return { conversation, asked: { tools } };
  }
}
