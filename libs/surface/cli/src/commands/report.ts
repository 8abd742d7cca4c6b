import { Command, Option } from "commander";
import { collectReport } from "../collect.ts";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { type ReportFormat, renderReport, reportFormats } from "../output.ts";

export function reportCommand(context: Context): Command {
  return new Command("report")
    .argument("<id>", "the experiment")
    .addOption(new Option("--format <format>", "how").choices(reportFormats).default("table"))
    .option("--save-path <dir>", "also write one JSON file per episode to this directory")
    .addHelpText("after", "\nExample:\n  microremed report exp-1 --format html > report.html")
    .action(async (id: string, options: { format: ReportFormat; savePath?: string }) => {
      await using client = await openClient(context);
      context.terminal.print(renderReport(await collectReport(client, id, options.savePath), options.format));
    });
}
