import type { ChatMessage, Feedback, RemediateCommand, ToolCall } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import { acknowledge, toolMessage, unknownTool } from "../answer-call.ts";
import { defineMethod, type TurnContext, type TurnResult } from "../method.ts";
import { whyNoPlaybook } from "../no-playbook.ts";
import { observation } from "../observation.ts";
import { type Answer, type Progress, readProgress } from "../progress.ts";
import { reminder, system, task } from "../prompts/think-remed/coordinator.ts";
import { probesUsedUp } from "../prompts/think-remed/probe-agent.ts";
import { reflection } from "../prompts/think-remed/reflection.ts";
import { reportOf } from "../report-of.ts";
import { commandOf, playbookOf, printPlaybook, probeSystem } from "../tools.ts";
import { openTurn, type Turn } from "../turn.ts";
import { writtenPlaybook } from "../written-playbook.ts";

/** Model calls of an attempt beyond its probes: the playbook, a reminder and two answers with nothing usable in them. */
const spareCalls = 4;
const maxReminders = 1;
/** Most characters of the words in which a model says that it is content. */
const maxReason = 500;

/**
 * The coordinator probes as it likes and hands in a playbook; after a failed attempt it gets the feedback of the
 * execution and verification agents and tries again.
 */
export const thinkRemed = defineMethod({
  name: "ThinkRemed",
  description: "a coordinator that may probe first and reflects on failed attempts until T_max",
  maxAttempts: (requested) => requested,
  runTurn: async (context) => {
    const turn = await openTurn(context, opening(context.command));
    for (;;) {
      context.signal.throwIfAborted();
      const progress = readProgress(turn.said());
      const result = await takeStep(turn, progress, context);
      if (result) return result;
    }
  },
});

function opening(command: RemediateCommand): ChatMessage[] {
  if (command.feedback === null) {
    return [
      { role: "system", content: system(toldOf(command)) },
      { role: "user", content: task(reportOf(command), command, toldOf(command)) },
    ];
  }
  const { attempt, maxAttempts, feedback } = command;
  return [{ role: "user", content: reflection({ number: attempt, maxAttempts, ...feedback }) }];
}

function toldOf({ told = "oracle" }: RemediateCommand): Feedback {
  return told;
}

/** Whether the answer says that nothing more is to be done: words alone, where no verdict says so. */
function isContent(answer: Answer, command: RemediateCommand): boolean {
  return (
    toldOf(command) !== "oracle" && answer.content.trim() !== "" && writtenPlaybook(answer) === undefined
  );
}

/** Does the one thing that comes next; a result ends the turn. Every step but the last makes the turn longer. */
async function takeStep(
  turn: Turn,
  progress: Progress,
  context: TurnContext,
): Promise<TurnResult | undefined> {
  const { pending, playbook, silences, calls, lastAnswer, last } = progress;
  const { maxProbes } = context.command;
  const cost = () => ({ usage: turn.usage(), probes: Math.min(progress.probes, maxProbes) });

  if (playbook !== undefined) {
    await acknowledge(turn, pending);
    return { kind: "playbook", playbook, source: "tool-call", ...cost() };
  }
  const [next] = pending;
  if (next) {
    await turn.say(toolMessage(next, await answer(next, progress.probes, context)));
    return undefined;
  }
  if (lastAnswer && silences > 0 && isContent(lastAnswer, context.command)) {
    return { kind: "done", reason: clipMiddle(lastAnswer.content.trim(), maxReason), ...cost() };
  }
  if (lastAnswer && silences > maxReminders) {
    const written = writtenPlaybook(lastAnswer);
    if (written !== undefined) return { kind: "playbook", playbook: written, source: "text", ...cost() };
    return { kind: "no-playbook", reason: `${whyNoPlaybook(lastAnswer)}, twice`, ...cost() };
  }
  if (calls >= maxProbes + spareCalls) {
    return { kind: "no-playbook", reason: `no playbook within ${calls} model calls`, ...cost() };
  }
  if (last === lastAnswer) await turn.say({ role: "user", content: reminder });
  await turn.ask(toolsFor(context.command));
  return undefined;
}

function toolsFor({ maxProbes }: RemediateCommand) {
  return maxProbes > 0 ? [probeSystem, printPlaybook] : [printPlaybook];
}

async function answer(call: ToolCall, probes: number, context: TurnContext): Promise<string> {
  const { command: order, probe, log } = context;
  if (call.name === printPlaybook.name) {
    const argument = playbookOf(call);
    return "problem" in argument ? argument.problem : "The playbook was received.";
  }
  if (call.name !== probeSystem.name) return unknownTool(call, toolsFor(order));
  const argument = commandOf(call);
  if ("problem" in argument) return argument.problem;
  if (probes >= order.maxProbes) return probesUsedUp(order.maxProbes);
  const reply = await probe(argument.value);
  log.debug({ episodeId: order.episodeId, status: reply.status, exitCode: reply.exitCode }, "probe");
  return observation(reply, order.probeSeconds);
}
