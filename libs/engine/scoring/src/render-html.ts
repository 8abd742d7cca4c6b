import { counted } from "@microremed/core";
import { percent } from "./format.ts";
import { type Group, groupLabel } from "./group.ts";
import { escapeHtml, htmlPage, htmlTable } from "./html-page.ts";
import type { Report } from "./report.ts";
import { subjectOf } from "./subject-of.ts";
import {
  averagesTable,
  episodesTable,
  failuresTable,
  headingTable,
  leaderboardTable,
  qualityTable,
  ranked,
  settingsTable,
  totalsTable,
} from "./tables.ts";
import { alarmsTable, detectionTable, judgeTable, partsTable, tasksTable, timeTable } from "./task-tables.ts";
import type { Interval } from "./wilson.ts";

/** One self-contained page about one or several experiments: no script, nothing fetched. */
export function renderHtml(reports: readonly Report[], title: string): string {
  const sections = reports.map(reportSection).join("\n");
  const groups = ranked(reports.flatMap((report) => report.groups));
  const leaderboard =
    groups.length > 1
      ? `<section><h2>Leaderboard</h2>${successChart(groups)}${htmlTable(leaderboardTable(reports))}</section>`
      : "";
  const note = `<p>Rates are remediated / (remediated + not remediated); bars carry 95 % Wilson intervals. Injection failures, harness errors and cancellations are counted apart; where agents had been given something before a harness error, a second rate counts those as failures, and the order is by that.</p>`;
  return htmlPage(title, `${leaderboard}\n${sections}`, note);
}

function reportSection(report: Report): string {
  const groups = ranked(report.groups);
  const [only] = groups.length === 1 ? groups : [];
  const heading = `${only ? groupLabel(only) : `${groups.length} models and methods`} on ${subjectOf(report.request)}`;
  return `<section><h2>${escapeHtml(heading)}</h2>
<dl>${headingTable(report)
    .map(([name = "", value = ""]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join("")}</dl>
${htmlTable(totalsTable(groups))}
${htmlTable(qualityTable(groups))}
${htmlTable(tasksTable(groups))}
${htmlTable(detectionTable(groups))}
${htmlTable(alarmsTable(groups))}
${htmlTable(judgeTable(groups))}
${htmlTable(partsTable(groups))}
${htmlTable(timeTable(groups))}
${htmlTable(settingsTable(groups))}
${groups.map(failureChart).join("\n")}
${htmlTable(failuresTable(groups))}
${htmlTable(averagesTable(groups))}
<details><summary>${counted(report.episodes.length, "episode")}</summary>${htmlTable(episodesTable(report))}</details></section>`;
}

interface Bar {
  readonly label: string;
  readonly value: number | null;
  readonly interval: Interval | null;
}

function successChart(groups: readonly Group[]): string {
  return barChart(
    groups.map((group) => ({
      label: groupLabel(group),
      ...headline(group),
    })),
    groups.some(isCleanAsked) ? "clean repairs by model and method" : "success rate by model and method",
  );
}

const isCleanAsked = ({ summary }: Group): boolean => summary.clean.of > 0;

/** Clean repairs where that was asked, else the success rate; with errors as failures, as the order is. */
function headline(group: Group): Pick<Bar, "value" | "interval"> {
  const { cleanErrorsAsFailures, errorsAsFailures } = group.summary;
  const { rate, interval } = isCleanAsked(group) ? cleanErrorsAsFailures : errorsAsFailures;
  return { value: rate, interval };
}

function failureChart(group: Group): string {
  const chart = barChart(
    Object.entries(group.summary.byFailure).map(([label, part]) => ({
      label,
      value: part.rate,
      interval: part.interval,
    })),
    `success rate by failure of ${groupLabel(group)}`,
  );
  return `<figure>${chart}<figcaption>${escapeHtml(groupLabel(group))}</figcaption></figure>`;
}

const labelWidth = 330;
const barWidth = 420;
const rowHeight = 26;

function barChart(bars: readonly Bar[], caption: string): string {
  const rows = bars.map((bar, row) => {
    const y = row * rowHeight;
    const middle = y + rowHeight / 2;
    const at = (rate: number) => labelWidth + rate * barWidth;
    const whisker = bar.interval
      ? `<line class="whisker" x1="${at(bar.interval.low)}" x2="${at(bar.interval.high)}" y1="${middle}" y2="${middle}"/>`
      : "";
    return `<text x="${labelWidth - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(bar.label)}</text>
<rect class="track" x="${labelWidth}" y="${y + 5}" width="${barWidth}" height="${rowHeight - 10}"/>
<rect class="bar" x="${labelWidth}" y="${y + 5}" width="${(bar.value ?? 0) * barWidth}" height="${rowHeight - 10}"/>${whisker}
<text x="${labelWidth + barWidth + 10}" y="${middle + 4}">${percent(bar.value)}</text>`;
  });
  const width = labelWidth + barWidth + 70;
  return `<svg role="img" aria-label="${escapeHtml(caption)}" viewBox="0 0 ${width} ${bars.length * rowHeight}" width="${width}">${rows.join("\n")}</svg>`;
}
