import type { ToolCall } from "@microremed/contracts";
import { toolMessage } from "./answer-call.ts";
import { observation } from "./observation.ts";
import { specsOf } from "./offer.ts";
import type { Progress } from "./progress.ts";
import { noMoreObserving } from "./spent.ts";
import type { Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { notRun, unknownTool } from "./words.ts";

/** Answers the first of the pending calls, of which none ends the turn: runs its tool, or says why it isn't run. */
export async function observe(turn: Turn, progress: Progress, context: TurnContext): Promise<void> {
  const { pending, probes } = progress;
  const { offer, maxProbes, budgets, arena, episodeId } = context;
  const [call] = pending;
  if (!call) return;
  const asked = read(call, context);
  if ("problem" in asked) return turn.say(toolMessage(call, asked.problem));
  const usedUp =
    probes >= maxProbes
      ? `all ${maxProbes} probes of this attempt`
      : noMoreObserving(turn.spent(), pending.length, budgets);
  if (usedUp !== undefined) return turn.say(toolMessage(call, notRun(usedUp, offer)));
  const startedAt = context.now();
  const reply = await asked.tool.run(asked.value, arena);
  const milliseconds = Math.round(context.now() - startedAt);
  const ended = typeof reply === "string" ? {} : { status: reply.status, exitCode: reply.exitCode };
  context.log.debug({ episodeId, tool: call.name, ...ended }, "observed");
  const content = observation(reply, arena.seconds, asked.tool.maxResult);
  return turn.say({ ...toolMessage(call, content), milliseconds });
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
