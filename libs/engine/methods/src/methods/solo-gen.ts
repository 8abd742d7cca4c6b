import type { ChatMessage, SolveCommand } from "@microremed/contracts";
import { acknowledge, toolMessage, unknownTool } from "../answer-call.ts";
import { defineMethod, type TurnResult } from "../method.ts";
import { whyNoPlaybook } from "../no-playbook.ts";
import { type Progress, readProgress } from "../progress.ts";
import { system, task } from "../prompts/solo-gen/engineer.ts";
import { reportOf } from "../report-of.ts";
import { playbookOf, printPlaybook } from "../tools.ts";
import { openTurn, type Turn } from "../turn.ts";
import { writtenPlaybook } from "../written-playbook.ts";

const tools = [printPlaybook];

/** All context in one prompt, one call, one playbook, one attempt. */
export const soloGen = defineMethod({
  name: "SoloGen",
  description: "one prompt with all context, one answer, one playbook, a single attempt",
  maxAttempts: () => 1,
  runTurn: async (context) => {
    const turn = await openTurn(context, opening(context.command));
    const ranOut = readProgress(turn.said()).calls === 0 ? await turn.ask(tools) : undefined;
    if (ranOut) return { kind: "no-playbook", ...ranOut, usage: turn.usage(), probes: 0 };
    const progress = readProgress(turn.said());
    await settle(turn, progress);
    return { ...outcome(progress), usage: turn.usage(), probes: 0 };
  },
});

function opening(command: SolveCommand): ChatMessage[] {
  return [
    { role: "system", content: system },
    { role: "user", content: task(reportOf(command)) },
  ];
}

/** There is no second call, but a stored conversation with unanswered calls would be of no use to anybody. */
async function settle(turn: Turn, progress: Progress): Promise<void> {
  if (progress.playbook !== undefined) return acknowledge(turn, progress.pending);
  const messages = progress.pending.map((call) => {
    const argument = call.name === printPlaybook.name ? playbookOf(call) : undefined;
    return toolMessage(call, argument && "problem" in argument ? argument.problem : unknownTool(call, tools));
  });
  if (messages.length > 0) await turn.say(...messages);
}

type Outcome<R> = R extends unknown ? Omit<R, "usage" | "probes"> : never;

function outcome({ playbook, lastAnswer }: Progress): Outcome<TurnResult> {
  if (playbook !== undefined) return { kind: "playbook", playbook, source: "tool-call" };
  if (!lastAnswer) return { kind: "no-playbook", reason: "the model was not asked" };
  const written = writtenPlaybook(lastAnswer);
  if (written !== undefined) return { kind: "playbook", playbook: written, source: "text" };
  return { kind: "no-playbook", reason: whyNoPlaybook(lastAnswer) };
}
