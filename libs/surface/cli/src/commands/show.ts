import { renderStoryHtml, renderStoryText, storyOf } from "@microremed/trajectory";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { checkSaved } from "../check-saved.ts";
import type { Context } from "../context.ts";
import { isSaved, readEpisode } from "../episode-source.ts";

export function showCommand(context: Context): Command {
  return new Command("show")
    .argument("<episode>", "a file written with --save-path, or <experiment>.<index> of the running range")
    .option("--html", "print one self-contained HTML page")
    .addOption(
      new Option("-o, --output <format>", "output format; json: the stored episode")
        .choices(["text", "json"])
        .default("text"),
    )
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Examples:
  microremed show exp-1.0003
  microremed show runs/a/0003_cartservice_cpu-stress.json --html > episode.html`,
    )
    .action(async (source: string, options: CatalogueOptions & { html?: true; output: string }) => {
      const { html, output } = options;
      const episode = await readEpisode(context, source);
      if (output === "json") return context.terminal.print(JSON.stringify(episode, null, 2));
      const saved = (await isSaved(source))
        ? await checkSaved([episode], await catalogueOf(context, options))
        : undefined;
      const warnings = saved?.unfounded.flatMap(({ problems }) => problems) ?? [];
      const found = storyOf(episode);
      const story = { ...found, summary: [...found.summary, ...warnings.map((one) => ["warning", one])] };
      context.terminal.print(html ? renderStoryHtml(story) : renderStoryText(story, context.terminal.width));
    });
}
