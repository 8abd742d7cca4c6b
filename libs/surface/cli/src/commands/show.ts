import { renderStoryHtml, renderStoryText, storyOf } from "@microremed/trajectory";
import { Command, Option } from "commander";
import type { Context } from "../context.ts";
import { readEpisode } from "../episode-source.ts";

export function showCommand(context: Context): Command {
  return new Command("show")
    .argument("<episode>", "a file written with --save-path, or <experiment>.<index> of the running range")
    .option("--html", "print one self-contained HTML page")
    .addOption(
      new Option("-o, --output <format>", "output format; json: the stored episode")
        .choices(["text", "json"])
        .default("text"),
    )
    .addHelpText(
      "after",
      `
Examples:
  microremed show exp-1.0003
  microremed show runs/a/0003_cartservice_cpu-stress.json --html > episode.html`,
    )
    .action(async (source: string, { html, output }: { html?: true; output: string }) => {
      const episode = await readEpisode(context, source);
      if (output === "json") return context.terminal.print(JSON.stringify(episode, null, 2));
      const story = storyOf(episode);
      context.terminal.print(html ? renderStoryHtml(story) : renderStoryText(story, context.terminal.width));
    });
}
