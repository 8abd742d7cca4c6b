import { Command, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { collectReport } from "../collect.ts";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { isSaved } from "../episode-source.ts";
import { type ReportFormat, renderReport, reportFormats } from "../output.ts";
import { savedReport } from "../saved-report.ts";

interface Options extends CatalogueOptions {
  readonly output: ReportFormat;
  readonly format?: ReportFormat;
  readonly savePath?: string;
}

export function reportCommand(context: Context): Command {
  return new Command("report")
    .argument("<experiment>", "its id in the running range, or a directory written with --save-path")
    .addOption(
      new Option("-o, --output <format>", "output format; --format does the same")
        .choices(reportFormats)
        .default("table"),
    )
    .addOption(new Option("--format <format>").choices(reportFormats).conflicts("output").hideHelp())
    .option("--save-path <dir>", "also write one JSON file per episode to this directory")
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      "\nExamples:\n  microremed report exp-1 --output html > report.html\n  microremed report runs/demo/episodes",
    )
    .action(async (source: string, options: Options) => {
      const show = (report: Awaited<ReturnType<typeof collectReport>>): void =>
        context.terminal.print(
          renderReport(report, options.format ?? options.output, context.terminal.width),
        );
      if (await isSaved(source))
        return show(await savedReport(context, source, await catalogueOf(context, options)));
      await using client = await openClient(context, "client", source);
      show(await collectReport(client, source, options.savePath));
    });
}
