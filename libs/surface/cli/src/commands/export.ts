import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { counted } from "@microremed/core";
import { toolSpecs } from "@microremed/solving";
import { dataCard } from "@microremed/trajectory";
import { exportFormats } from "@microremed/trajectory/formats";
import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { readEpisodes } from "../episode-source.ts";
import { assertFree, writeNew } from "../write-new.ts";

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
    .option(
      "--out <file>",
      "output file, which must not exist yet; default: <source>.<format>.<extension> in this directory",
    )
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
      const path = options.out ?? `${parse(source).name}.${format.name}.${format.extension}`;
      const { dir, base } = parse(path);
      const card = join(dir, `${base}.card.md`);
      await mkdir(dirname(path), { recursive: true });
      for (const one of [path, card]) await assertFree(one);
      await writeNew(path, format.write(episodes, toolSpecs(tools)));
      await writeNew(card, dataCard(episodes, format, base)).catch(async (error: unknown) => {
        await rm(path, { force: true });
        throw error;
      });
      context.terminal.say(
        `${counted(episodes.length, "episode")} in ${path}, described in ${basename(card)}`,
      );
    });
}
