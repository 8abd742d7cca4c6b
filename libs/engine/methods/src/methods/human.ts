import type { ChatMessage, SolveCommand } from "@microremed/contracts";
import { acknowledge } from "../answer-call.ts";
import { defineMethod, type TurnContext } from "../method.ts";
import { readProgress } from "../progress.ts";
import { again, task } from "../prompts/human/task.ts";
import { reportOf } from "../report-of.ts";
import { printPlaybook } from "../tools.ts";
import { openTurn, type Turn } from "../turn.ts";

/** A person in place of a model: the request brings the playbook, or `microremed answer` does. */
export const human = defineMethod({
  name: "Human",
  description:
    "a person writes the playbooks: one for all attempts in the request, or each by `microremed answer`",
  byHand: true,
  maxAttempts: (requested) => requested,
  runTurn: async (context) => {
    const turn = await openTurn(context, opening(context.command));
    const answered = readProgress(turn.said()).calls > 0 || (await takeOne(turn, context));
    const { pending, playbook } = readProgress(turn.said());
    const cost = () => ({ usage: turn.usage(), probes: 0 });
    if (playbook !== undefined) {
      await acknowledge(turn, pending);
      return { kind: "playbook", playbook, source: "tool-call", ...cost() };
    }
    const { seconds } = context.command.budgets;
    if (answered)
      return { kind: "no-playbook", reason: "what the person handed in was no playbook", ...cost() };
    return {
      kind: "no-playbook",
      exhausted: "seconds",
      reason: `nobody gave a playbook within ${seconds} s`,
      ...cost(),
    };
  },
});

function opening(command: SolveCommand): ChatMessage[] {
  const { attempt, maxAttempts, feedback, episodeId } = command;
  if (feedback !== null) {
    return [{ role: "user", content: again({ number: attempt, maxAttempts, ...feedback }) }];
  }
  return [{ role: "user", content: task(reportOf(command), episodeId) }];
}

async function takeOne(turn: Turn, { command, awaitPlaybook }: TurnContext): Promise<boolean> {
  const take = (playbook: string): Promise<void> =>
    turn.say({
      role: "assistant",
      content: "",
      toolCalls: [
        {
          id: `by-hand-${command.attempt}`,
          name: printPlaybook.name,
          arguments: JSON.stringify({ playbook }),
        },
      ],
    });
  if (command.playbook === null) return awaitPlaybook(command.budgets.seconds, take);
  await take(command.playbook);
  return true;
}
