import type { ChatMessage, SolveCommand } from "@microremed/contracts";
import { runAgent, toldOf } from "../agent-loop.ts";
import { defineMethod } from "../method.ts";
import { system, task } from "../prompts/think-remed/coordinator.ts";
import { reflection } from "../prompts/think-remed/reflection.ts";
import { reportOf } from "../report-of.ts";

/**
 * The coordinator decides whether to probe and hands in a playbook; after a failed attempt it reflects on what the
 * execution and verification agents report, and tries again until T_max.
 */
export const thinkRemed = defineMethod({
  name: "ThinkRemed",
  description: "a coordinator that may probe first and reflects on failed attempts until T_max",
  maxAttempts: (requested) => requested,
  runTurn: (context) => runAgent(context, opening(context.command)),
});

function opening(command: SolveCommand): ChatMessage[] {
  const { attempt, maxAttempts, feedback } = command;
  if (feedback !== null) {
    return [{ role: "user", content: reflection({ number: attempt, maxAttempts, ...feedback }) }];
  }
  const told = toldOf(command);
  return [
    { role: "system", content: system(told) },
    { role: "user", content: task(reportOf(command), command, told) },
  ];
}
