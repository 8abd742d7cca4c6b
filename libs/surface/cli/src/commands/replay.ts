import { plainTable } from "@microremed/scoring";
import { Command } from "commander";
import { catalogueOption } from "../catalogue.ts";
import { rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { readEpisode } from "../episode-source.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputOption } from "../output.ts";
import { type Replay, type ReplayOptions, replayEpisode } from "../replay/replay-episode.ts";

interface Options extends ReplayOptions {
  readonly output: "table" | "json";
}

export function replayCommand(context: Context): Command {
  return new Command("replay")
    .argument("<episode>", "a file written with --save-path, or <experiment>.<index> of the running range")
    .option("--manifest-path <folder>", "folder of the environment, if the episode was run with one")
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Exits with 0 when only details (generated names, ages, numbers) differ, with 5 when the replay diverges.

Example:
  microremed replay runs/a/0003_cartservice_cpu-stress.json`,
    )
    .action(async (source: string, options: Options) => {
      const result = await replayEpisode(context, await readEpisode(context, source), options);
      context.terminal.print(
        options.output === "json" ? JSON.stringify(result, null, 2) : table(result, context.terminal.width),
      );
      process.exitCode = (result.same ? exitCodes.ok : exitCodes.diverged).code;
    });
}

function table({ same, recorded, replayed, divergences }: Replay, width: number): string {
  const head = `recorded ${recorded}, replayed ${replayed}: ${same ? "the same episode" : "the replay diverges"}`;
  if (divergences.length === 0) return head;
  const rows = divergences.map(({ where, kind }) => [where, kind]);
  const details = divergences
    .filter(({ kind }) => kind === "content")
    .map(({ where, difference }) => `${where}\n${difference}`);
  return [head, plainTable([["where", "what differs"], ...rows], width), ...details].join("\n\n");
}
