import type { ArenaView, Solution } from "@microremed/catalogue";
import type { ToolCall } from "@microremed/contracts";
import { toolMessage } from "./answer-call.ts";
import { observation } from "./observation.ts";
import { specsOf } from "./offer.ts";
import type { Progress } from "./progress.ts";
import { noMoreObserving } from "./spent.ts";
import { saidIn } from "./talk.ts";
import type { Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { notRun, unknownTool } from "./words.ts";

/** Characters of what an action printed that the agent gets. */
const maxPrinted = 8_000;

/**
 * Answers the first of the pending calls, of which none ends the turn: runs its tool, or says why it isn't run. Of a tool
 * that changes something the call waits for the executor: the ending is returned, and the call is answered when the turn
 * goes on.
 */
export async function observe(
  turn: Turn,
  progress: Progress,
  context: TurnContext,
): Promise<Solution | undefined> {
  const [call] = progress.pending;
  if (!call) return undefined;
  const done = resultOf(context);
  if (done !== undefined) {
    const { execution } = done;
    const seconds = Math.min(context.actSeconds, secondsLeft(turn, context));
    const status = execution.status === "rejected" ? "refused" : execution.status;
    const content = observation({ ...execution, status }, seconds, maxPrinted);
    const milliseconds = Math.round(execution.wallSeconds * 1000);
    const refused = status === "refused" && ({ refused: true } as const);
    await turn.say({ ...toolMessage(call, content), milliseconds, acted: true, ...refused });
    return undefined;
  }
  return askTool(call, turn, progress, context);
}

/** What came of the call's action; undefined: it has not been done. */
function resultOf({ acted, talk, attempt }: TurnContext): TurnContext["acted"] {
  const answered = saidIn(talk, attempt).filter((message) => message.role === "tool" && message.acted).length;
  return acted?.number === answered + 1 ? acted : undefined;
}

async function askTool(
  call: ToolCall,
  turn: Turn,
  progress: Progress,
  context: TurnContext,
): Promise<Solution | undefined> {
  const say = async (content: string): Promise<undefined> => {
    await turn.say(toolMessage(call, content));
    return undefined;
  };
  const { pending } = progress;
  const { offer, maxProbes, budgets, arena, episodeId } = context;
  const asked = read(call, context);
  if ("problem" in asked) return say(asked.problem);
  const usedUp =
    turn.probes() >= maxProbes
      ? `all ${maxProbes} probes of this attempt`
      : noMoreObserving(turn.spent(), pending.length, budgets);
  if (usedUp !== undefined) return say(notRun(usedUp, offer));
  const startedAt = context.now();
  const { view, clusterMs } = timed(arena);
  const reply = await asked.tool.run(asked.value, view);
  const milliseconds = Math.round(context.now() - startedAt);
  if (typeof reply !== "string" && "act" in reply) {
    const atMostSeconds = secondsLeft(turn, context);
    if (arena.mayAct)
      return { status: "act", ...reply.act, goesOn: true, atMostSeconds, source: "tool-call" };
    return say("Not run: in this task nothing may be changed.");
  }
  const { status, exitCode } = typeof reply === "string" ? {} : reply;
  context.log.debug({ episodeId, tool: call.name, status, exitCode }, "observed");
  const content = observation(reply, arena.seconds, context.maxResult ?? asked.tool.maxResult);
  const onCluster = clusterMs();
  await turn.say({
    ...toolMessage(call, content),
    milliseconds,
    ...(onCluster !== undefined && { clusterMs: onCluster }),
    ...(status === "refused" && { refused: true }),
  });
  return undefined;
}

/** Of the episode's budget: an action ends at the latest with it. */
function secondsLeft(turn: Turn, { budgets }: TurnContext): number {
  return Math.max(1, Math.ceil(budgets.seconds - turn.spent().seconds));
}

/** The arena, and how long its answers took on the cluster's clock; undefined: none said. */
function timed(arena: ArenaView): { readonly view: ArenaView; readonly clusterMs: () => number | undefined } {
  let total: number | undefined;
  const ask: ArenaView["ask"] = async (probe) => {
    const reply = await arena.ask(probe);
    if (reply.clusterMs !== undefined) total = (total ?? 0) + reply.clusterMs;
    return reply;
  };
  return { view: { ...arena, ask }, clusterMs: () => total };
}

function read(call: ToolCall, { offer, maxProbes }: TurnContext) {
  const offered = offer.observers.find(({ spec }) => spec.name === call.name);
  if (offered && maxProbes > 0) {
    const argument = offered.read(call);
    return "problem" in argument ? argument : { value: argument.value, tool: offered.tool };
  }
  const end = offer.ends.find(({ spec }) => spec.name === call.name)?.read(call);
  if (end && "problem" in end) return end;
  return { problem: unknownTool(call.name, specsOf(offer, { observing: maxProbes > 0 })) };
}
