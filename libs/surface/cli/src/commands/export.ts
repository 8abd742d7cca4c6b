import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { toolSpecs } from "@microremed/solving";
import { dataCard, exportFormats } from "@microremed/trajectory";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { readEpisodes } from "../episode-source.ts";

interface Options extends CatalogueOptions {
  readonly format: string;
  readonly out?: string;
}

export function exportCommand(context: Context): Command {
  return new Command("export")
    .argument(
      "<source>",
      "an experiment of the running range, or a directory or file written with --save-path",
    )
    .addOption(
      new Option(
        "--format <name>",
        exportFormats.map(({ name, description }) => `${name}: ${description}`).join("; "),
      )
        .choices(exportFormats.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .option("--out <file>", "output file; default: <source>.<format's extension> in this directory")
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Examples:
  microremed export exp-1 --format openai-chat
  microremed export runs/a --format parquet --out a.parquet`,
    )
    .action(async (source: string, options: Options) => {
      const format = exportFormats.find(({ name }) => name === options.format);
      if (!format) return;
      const { tools } = await catalogueOf(context, options);
      const episodes = await readEpisodes(context, source);
      const path = options.out ?? `${parse(source).name}.${format.extension}`;
      const { dir, name, base } = parse(path);
      const card = join(dir, `${name}.card.md`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, format.write(episodes, toolSpecs(tools)));
      await writeFile(card, dataCard(episodes, format, base));
      context.terminal.say(`${episodes.length} episodes in ${path}, described in ${basename(card)}`);
    });
}
