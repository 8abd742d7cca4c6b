import { markdownTable, plainPairs, plainTable, type Table } from "./format.ts";
import type { Report } from "./report.ts";
import {
  averagesTable,
  episodesTable,
  failuresTable,
  headingTable,
  qualityTable,
  ranked,
  settingsTable,
  totalsTable,
} from "./tables.ts";
import { alarmsTable, detectionTable, judgeTable, partsTable, tasksTable, timeTable } from "./task-tables.ts";

/** The report for a terminal of `width` characters. */
export function renderTable(report: Report, width?: number): string {
  return render(
    report,
    (table) => plainTable(table, width),
    (title) => title.toUpperCase(),
    (pairs) => plainPairs(pairs, width),
  );
}

/** The report as a Markdown page. */
export function renderMarkdown(report: Report): string {
  return render(
    report,
    markdownTable,
    (title) => `## ${title}`,
    (pairs) =>
      [
        `# Experiment ${report.experimentId}`,
        "",
        ...pairs.map(([name, value]) => `- ${name}: ${value}`),
      ].join("\n"),
  );
}

function render(
  report: Report,
  table: (table: Table) => string,
  heading: (title: string) => string,
  list: (pairs: Table) => string,
): string {
  const groups = ranked(report.groups);
  const sections: readonly [string, Table][] = [
    ["Result", totalsTable(groups)],
    ["Quality", qualityTable(groups)],
    ["By task", tasksTable(groups)],
    ["Detection", detectionTable(groups)],
    ["Alarms", alarmsTable(groups)],
    ["Judge of free text, beside the grade", judgeTable(groups)],
    ["Parts of the scores", partsTable(groups)],
    ["Where the time went, cluster s", timeTable(groups)],
    ["Settings", settingsTable(groups)],
    ["By failure", failuresTable(groups)],
    ["Averages", averagesTable(groups)],
    ["Episodes", episodesTable(report)],
  ];
  const parts = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${heading(title)}\n\n${table(rows)}`);
  return `${[list(headingTable(report)), ...parts].join("\n\n")}\n`;
}
