import { type Report, renderBrief, renderHtml, renderMarkdown, renderTable } from "@microremed/scoring";
import { Option } from "commander";

export const reportFormats = ["table", "full", "json", "markdown", "html"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** `width`: of a line, in characters; only tables depend on it. */
export function renderReport(report: Report, format: ReportFormat, width: number): string {
  switch (format) {
    case "table":
      return `${renderBrief(report, width)}\nall tables: --output full\n`;
    case "full":
      return renderTable(report, width);
    case "json":
      return JSON.stringify(report, null, 2);
    case "markdown":
      return renderMarkdown(report);
    case "html":
      return renderHtml([report], `MicroRemed: experiment ${report.experimentId}`);
    default:
      return format satisfies never;
  }
}

/** `--output table|full|json` of the verbs that run an experiment. */
export function runOutputOption(): Option {
  return new Option("-o, --output <format>", "the result in short, every table of the report, or JSON")
    .choices(["table", "full", "json"])
    .default("table");
}

/** `--output table|json` of the verbs that list things or print one result. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "output format").choices(["table", "json"]).default("table");
}
