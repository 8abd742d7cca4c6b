import { AppError, terminal } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../read-request.ts";

export function answerCommand(context: Context): Command {
  return new Command("answer")
    .argument("<episode>", "its id, e.g. exp-1.0003")
    .option("--playbook <file>", "the Ansible playbook")
    .action(async (episode: string, { playbook }: { readonly playbook?: string }) => {
      await using client = await openClient(context);
      if (playbook === undefined) return showTask(context, client, episode);
      const text = await readTextFile(playbook, "the playbook");
      const attempt = await client.answer(episode, text).catch(explain(episode));
      context.terminal.say(`taken for attempt ${attempt} of ${episode}`);
    });
}

/** What was last said to the person. */
async function showTask({ terminal: screen }: Context, client: RangeClient, episode: string): Promise<void> {
  const conversation = await client.conversation(episode);
  const told = conversation.findLast(({ role }) => role === "user");
  screen.print(told?.content ?? `${episode} has not come to its method yet`);
}

/** Nobody serves the subject of an episode that does not wait. */
const explain =
  (episode: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || thrown.code !== "bus-unreachable") throw thrown;
    throw terminal("invalid-request", `no episode ${episode} waits for a playbook: ${thrown.message}`);
  };
