import type { ChatMessage, Feedback, SolveCommand, ToolCall } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { acknowledge, toolMessage, unknownTool } from "./answer-call.ts";
import { lookNamed, looks } from "./looks/registry.ts";
import type { TurnContext, TurnResult } from "./method.ts";
import { whyNoPlaybook } from "./no-playbook.ts";
import { observation } from "./observation.ts";
import { type Answer, type Progress, readProgress } from "./progress.ts";
import { notRun, reminder } from "./prompts/shared/corrections.ts";
import { noMoreLooks } from "./spent.ts";
import { playbookOf, printPlaybook, probeOf } from "./tools.ts";
import { openTurn, type Turn } from "./turn.ts";
import { writtenPlaybook } from "./written-playbook.ts";

/** Model calls of an attempt beyond its probes: the playbook, a reminder and two answers with nothing usable in them. */
const spareCalls = 4;
const maxReminders = 1;
/** Most characters of the words in which a model says that it is content. */
const maxReason = 500;

/**
 * A turn of an agent: it looks as often as it likes and may, until it hands in a playbook. Every tool call of every
 * answer is answered by a tool message of its own.
 */
export async function runAgent(context: TurnContext, opening: readonly ChatMessage[]): Promise<TurnResult> {
  const turn = await openTurn(context, opening);
  for (;;) {
    context.signal.throwIfAborted();
    const progress = readProgress(turn.said());
    const result = await takeStep(turn, progress, context);
    if (result) return result;
  }
}

/** What the request lets a method know of the verdict on its last attempt. */
export function toldOf({ told = "oracle" }: SolveCommand): Feedback {
  return told;
}

/** Does the one thing that comes next; a result ends the turn. Every step but the last makes the turn longer. */
async function takeStep(
  turn: Turn,
  progress: Progress,
  context: TurnContext,
): Promise<TurnResult | undefined> {
  const { pending, playbook, silences, calls, lastAnswer, last, probes } = progress;
  const { command } = context;
  const cost = () => ({ usage: turn.usage(), probes });

  if (playbook !== undefined) {
    await acknowledge(turn, pending);
    return { kind: "playbook", playbook, source: "tool-call", ...cost() };
  }
  if (pending.length > 0) {
    await answerFirst(turn, progress, context);
    return undefined;
  }
  if (lastAnswer && silences > 0 && isContent(lastAnswer, command)) {
    return { kind: "done", reason: clipMiddle(lastAnswer.content.trim(), maxReason), ...cost() };
  }
  if (lastAnswer && silences > maxReminders) {
    const written = writtenPlaybook(lastAnswer);
    if (written !== undefined) return { kind: "playbook", playbook: written, source: "text", ...cost() };
    return { kind: "no-playbook", reason: `${whyNoPlaybook(lastAnswer)}, twice`, ...cost() };
  }
  if (calls >= command.maxProbes + spareCalls) {
    return { kind: "no-playbook", reason: `no playbook within ${calls} model calls`, ...cost() };
  }
  if (last === lastAnswer) await turn.say({ role: "user", content: reminder });
  const ranOut = await turn.ask(toolsFor(command));
  return ranOut && { kind: "no-playbook", ...ranOut, ...cost() };
}

/** Whether the answer says that nothing more is to be done: words alone, where no verdict says so. */
function isContent(answer: Answer, command: SolveCommand): boolean {
  return (
    toldOf(command) !== "oracle" && answer.content.trim() !== "" && writtenPlaybook(answer) === undefined
  );
}

function toolsFor({ maxProbes }: SolveCommand): ToolSpec[] {
  return maxProbes > 0 ? [...looks.map(({ tool }) => tool), printPlaybook] : [printPlaybook];
}

async function answerFirst(turn: Turn, progress: Progress, context: TurnContext): Promise<void> {
  const { pending, probes } = progress;
  const [call] = pending;
  if (!call) return;
  const asked = readCall(call, context.command);
  if ("problem" in asked) return turn.say(toolMessage(call, asked.problem));
  const { maxProbes, budgets, probeSeconds, episodeId } = context.command;
  const usedUp =
    probes >= maxProbes
      ? `all ${maxProbes} probes of this attempt`
      : noMoreLooks(turn.spent(), pending.length, budgets);
  if (usedUp !== undefined) return turn.say(toolMessage(call, notRun(usedUp)));
  const startedAt = context.now();
  const reply = await context.probe(asked.value);
  const milliseconds = Math.round(context.now() - startedAt);
  context.log.debug({ episodeId, tool: call.name, status: reply.status, exitCode: reply.exitCode }, "look");
  return turn.say({ ...toolMessage(call, observation(reply, probeSeconds)), milliseconds });
}

function readCall(call: ToolCall, command: SolveCommand) {
  if (call.name === printPlaybook.name) {
    const argument = playbookOf(call);
    return "problem" in argument ? argument : { problem: "The playbook was received." };
  }
  const look = lookNamed(call.name);
  return look && command.maxProbes > 0
    ? probeOf(call, look)
    : { problem: unknownTool(call, toolsFor(command)) };
}
