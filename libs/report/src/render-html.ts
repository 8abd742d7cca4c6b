import { percent, type Table } from "./format.ts";
import { type Group, groupLabel } from "./group.ts";
import type { Report } from "./report.ts";
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
import type { Interval } from "./wilson.ts";

/** One self-contained page about one or several experiments: no script, nothing fetched. */
export function renderHtml(reports: readonly Report[], title: string): string {
  const sections = reports.map(reportSection).join("\n");
  const groups = ranked(reports.flatMap((report) => report.groups));
  const leaderboard =
    groups.length > 1
      ? `<section><h2>Leaderboard</h2>${successChart(groups)}${htmlTable(leaderboardTable(reports))}</section>`
      : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><header><h1>${escapeHtml(title)}</h1>
<p>Rates are remediated / (remediated + not remediated); bars carry 95 % Wilson intervals. Injection failures, harness errors and cancellations are counted apart.</p></header>
<main>${leaderboard}
${sections}</main></body></html>
`;
}

function reportSection(report: Report): string {
  const groups = ranked(report.groups);
  const [only] = groups.length === 1 ? groups : [];
  const heading = `${only ? groupLabel(only) : `${groups.length} models and methods`} on ${report.request.environment}`;
  return `<section><h2>${escapeHtml(heading)}</h2>
<dl>${headingTable(report)
    .map(([name = "", value = ""]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join("")}</dl>
${htmlTable(totalsTable(groups))}
${htmlTable(qualityTable(groups))}
${htmlTable(settingsTable(groups))}
${groups.map(failureChart).join("\n")}
${htmlTable(failuresTable(groups))}
${htmlTable(averagesTable(groups))}
<details><summary>${report.episodes.length} episodes</summary>${htmlTable(episodesTable(report))}</details></section>`;
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
      value: group.summary.successRate,
      interval: group.summary.successInterval,
    })),
    "success rate by model and method",
  );
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

function htmlTable(table: Table): string {
  const [heading, ...rows] = table;
  if (!heading) return "";
  const line = (cells: readonly string[], tag: "td" | "th") =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll"><table><thead>${line(heading, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("\n")}</tbody></table></div>`;
}

/** Names and reasons come from models and clusters: nothing of them may become markup. */
function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c2127, #e4e7ea); --soft: light-dark(#5b6673, #9aa5b1); --line: light-dark(#dde2e7, #363d45); --paper: light-dark(#fff, #15191e); --bar: light-dark(#2f6f9f, #5aa3d8); --track: light-dark(#eef1f4, #22282f); }
body { margin: 2rem auto; max-width: 78rem; padding: 0 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } header p { color: var(--soft); max-width: 46rem; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; } dl div { display: flex; gap: .5rem; } dt { color: var(--soft); } dd { margin: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .75rem 0; font-variant-numeric: tabular-nums; } th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--soft); font-weight: 500; white-space: nowrap; }
svg { max-width: 100%; height: auto; margin: .5rem 0; } svg text { font-size: 13px; fill: var(--ink); } .track { fill: var(--track); } .bar { fill: var(--bar); } .whisker { stroke: var(--ink); stroke-width: 2; opacity: .55; }
figure { margin: 0; } figcaption { color: var(--soft); font-size: 13px; }
summary { cursor: pointer; color: var(--soft); }
`;
