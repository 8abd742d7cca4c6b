import type { ChatMessage, SolveCommand } from "@microremed/contracts";
import { runAgent, toldOf } from "../agent-loop.ts";
import { defineMethod } from "../method.ts";
import { observed, system, task } from "../prompts/react/agent.ts";
import { reportOf } from "../report-of.ts";

/** One agent that thinks aloud before every action; running a playbook is an action among the others. */
export const react = defineMethod({
  name: "ReAct",
  description: "one agent in turns of thought and action, with the same tools as ThinkRemed's team",
  maxAttempts: (requested) => requested,
  runTurn: (context) => runAgent(context, opening(context.command)),
});

function opening(command: SolveCommand): ChatMessage[] {
  const { attempt, maxAttempts, feedback } = command;
  if (feedback !== null) {
    return [{ role: "user", content: observed({ number: attempt, maxAttempts, ...feedback }) }];
  }
  return [
    { role: "system", content: system },
    { role: "user", content: task(reportOf(command), command, toldOf(command)) },
  ];
}
