import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EpisodeDocument } from "@microremed/contracts";
import { counted, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { telemetryFile, unpackTelemetry } from "@microremed/telemetry";
import { telemetryFiles } from "@microremed/telemetry/files";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { episodeLabels } from "../episode-labels.ts";
import { readEpisodes } from "../episode-source.ts";
import { telemetryFolder } from "../telemetry-folder.ts";

interface Options extends CatalogueOptions {
  readonly telemetry?: string;
  readonly out: string;
}

export function telemetryCommand(context: Context): Command {
  return new Command("telemetry").addCommand(exportCommand(context));
}

function exportCommand(context: Context): Command {
  return new Command("export")
    .description("write a folder for each episode: metrics, logs, traces, labels")
    .argument("<source>", "a directory written with --save-path, or an experiment of the running range")
    .option(
      "--telemetry <dir>",
      "where the telemetry was saved (TELEMETRY_DIR of the injectors); default: the folder telemetry in <source>",
    )
    .requiredOption(
      "--out <dir>",
      "folder for the files; those of an episode that is there are not overwritten",
    )
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      `
Example:
  microremed run --experiments 8 --model reference/runbook --save-path runs/a --telemetry
  microremed telemetry export runs/a --out data/a`,
    )
    .action((source: string, options: Options) => exportTelemetry(context, source, options));
}

async function exportTelemetry(context: Context, source: string, options: Options): Promise<void> {
  const catalogue = await catalogueOf(context, options);
  const saved = options.telemetry ?? join(source, telemetryFolder);
  const episodes = await readEpisodes(context, source);
  const without: string[] = [];
  for (const episode of episodes) {
    context.signal.throwIfAborted();
    if (!(await exportEpisode(episode, saved, options.out, catalogue))) without.push(episode.id);
  }
  if (without.length === episodes.length)
    throw terminal(
      "invalid-request",
      `${saved} has no telemetry of the episodes of ${source}; \`microremed run --telemetry\` saves it`,
    );
  if (without.length > 0) context.terminal.say(`no telemetry was saved of ${without.join(", ")}`);
  context.terminal.say(
    `telemetry of ${counted(episodes.length - without.length, "episode")} in ${options.out}`,
  );
}

/** False: there is none. The folder appears when all of it is written. */
async function exportEpisode(
  episode: EpisodeDocument,
  saved: string,
  out: string,
  catalogue: Catalogue,
): Promise<boolean> {
  const path = join(saved, telemetryFile(episode.id, episode.trial));
  const packed = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (packed === undefined) return false;
  const { window } = unpackTelemetry(packed, path);
  const folder = join(out, episode.id);
  if (await stat(folder).catch(() => undefined))
    throw terminal("invalid-request", `${folder} exists and is not overwritten; name another --out`);
  await rm(`${folder}.part`, { recursive: true, force: true });
  await mkdir(`${folder}.part`, { recursive: true });
  for (const [name, content] of telemetryFiles(window, episodeLabels(episode, window, catalogue)))
    await writeFile(join(`${folder}.part`, name), content);
  await rename(`${folder}.part`, folder);
  return true;
}
