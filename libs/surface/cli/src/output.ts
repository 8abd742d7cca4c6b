import { type Report, renderHtml, renderMarkdown, renderTable } from "@microremed/scoring";
import { Option } from "commander";

export const reportFormats = ["table", "json", "markdown", "html"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** `width`: of a line, in characters; only a table depends on it. */
export function renderReport(report: Report, format: ReportFormat, width: number): string {
  switch (format) {
    case "table":
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

/** `--output table|json` of the verbs that list things or print one result. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "output format").choices(["table", "json"]).default("table");
}
