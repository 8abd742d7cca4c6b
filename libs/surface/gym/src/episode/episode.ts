import {
  type ChatMessage,
  type CommandOf,
  type EpisodeRecord,
  type ResultOf,
  type SolveCommand,
  type Stage,
  type StageResult,
  sentOf,
  stageOut,
} from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { advance, commandMessage, type EpisodePlan } from "@microremed/episode";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import type { ChatReply, ToolSpec } from "@microremed/llm";
import { probe } from "@microremed/service-executor/probe";
import { type Action, replyOf } from "./action.ts";
import { carryOut, type HarnessStage, type StageDeps } from "./carry-out.ts";
import type { SystemNow } from "./open-system.ts";
import { type Turn, takeTurn } from "./take-turn.ts";

/** An episode between two steps: plain data, so that several can go on from one. */
export interface Episode {
  readonly record: EpisodeRecord;
  readonly plan: EpisodePlan;
  readonly conversation: readonly ChatMessage[];
  /** What the agent may call next; empty: it is not asked any more. */
  readonly tools: readonly ToolSpec[];
  readonly steps: number;
  /** What the agent was given last. */
  readonly text: string;
}

/** Stages that may follow one another without the agent: far more than an episode has. */
const mostStages = 64;

/** Whether the agent is not asked any more. */
export const isOver = ({ record }: Pick<Episode, "record">): boolean => stageOut[record.state] !== "solve";

/** Goes on until the agent is asked, or the episode is over. The given one stays as it was, also when this throws. */
export async function goOn(
  before: Episode,
  action: Action | undefined,
  deps: StageDeps,
  system: SystemNow,
  signal: AbortSignal,
): Promise<Episode> {
  const steps = before.steps + (action ? 1 : 0);
  let reply = action && replyOf(action, before.tools, steps);
  let { record, conversation } = before;
  let tools: readonly ToolSpec[] = [];
  for (let count = 0; ; count++) {
    const stage = stageOut[record.state];
    if (stage === undefined) break;
    if (count > mostStages)
      throw terminal("internal", `episode ${record.id} goes on without an end: ${record.state}`);
    const command = commandMessage(record, before.plan)?.body;
    let body: unknown;
    if (stage === "solve") {
      const turn = await turnOf(command as SolveCommand, { conversation, reply }, deps, system, signal);
      ({ conversation } = turn);
      reply = undefined;
      if ("asked" in turn) {
        tools = turn.asked.tools ?? [];
        break;
      }
      ({ body } = turn);
    } else {
      body = await carryOut(stage, command as CommandOf<HarnessStage>, deps, system, signal);
    }
    record = taken(
      record,
      before.plan,
      { stage, body } as Pick<ResultOf<Stage>, "stage" | "body">,
      system.now(),
    );
  }
  const text = saidSince(before.conversation, conversation);
  return { plan: before.plan, record, conversation, tools, steps, text };
}

function taken(
  record: EpisodeRecord,
  plan: EpisodePlan,
  result: Pick<ResultOf<Stage>, "stage" | "body">,
  now: number,
): EpisodeRecord {
  const { experimentId, id: episodeId, trial, attempt } = record;
  const whole = { experimentId, episodeId, trial, attempt, ...result } as StageResult;
  const next = advance(record, plan, { kind: "result", result: whole }, now);
  if (!next) throw terminal("internal", `episode ${record.id} did not wait for ${result.stage}`);
  return { ...next.record, version: record.version + 1 };
}

interface Said {
  readonly conversation: readonly ChatMessage[];
  readonly reply: ChatReply | undefined;
}

/** A turn, or the turn's failure as a range has it: it is the harness's. */
async function turnOf(
  command: SolveCommand,
  { conversation, reply }: Said,
  { catalogue, log }: StageDeps,
  { clusters, now }: SystemNow,
  signal: AbortSignal,
): Promise<Turn | { readonly conversation: readonly ChatMessage[]; readonly body: unknown }> {
  const prober = createInProcessProber(clusters.open);
  const context = { assertHeld: async () => {}, signal, log };
  try {
    return await takeTurn(command, conversation, reply, {
      ...{ catalogue, log, signal, now },
      ask: (request) => probe(request, { clusters, ...prober }, context),
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message, details } = AppError.from(thrown);
    return { conversation, body: { status: "failed", error: { code, message, details }, given: true } };
  }
}

/** What was said to the agent after its answer. */
function saidSince(before: readonly ChatMessage[], now: readonly ChatMessage[]): string {
  return sentOf(now.slice(before.length))
    .filter(({ role }) => role !== "assistant")
    .map(({ content }) => content)
    .join("\n\n");
}
