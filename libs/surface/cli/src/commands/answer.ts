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
      if (playbook === undefined) return await showTask(context, client, episode);
      const text = await readTextFile(playbook, "the playbook");
      const attempt = await client.answer(episode, text).catch(explain(episode));
      context.terminal.say(`accepted as attempt ${attempt} of ${episode}`);
    });
}

/** Prints the latest message to the person. */
async function showTask({ terminal: screen }: Context, client: RangeClient, episode: string): Promise<void> {
  const conversation = await client.conversation(episode);
  const task = conversation.findLast(({ role }) => role === "user");
  screen.print(task?.content ?? `${episode} has not reached its method yet`);
}

/** The subject of an episode that does not wait has no server. */
const explain =
  (episode: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || thrown.code !== "bus-unreachable") throw thrown;
    throw terminal("invalid-request", `no episode ${episode} waits for a playbook: ${thrown.message}`);
  };
