export { type EpisodeRow, episodeRow } from "./episode-row.ts";
export { markdownTable, plainTable, type Table } from "./format.ts";
export { renderHtml } from "./render-html.ts";
export { renderMarkdown, renderTable } from "./render-text.ts";
export { createReport, isRuleBased, modelLabel, type Report } from "./report.ts";
export { type Summary, summarise } from "./summary.ts";
export { leaderboardTable } from "./tables.ts";
export { type Interval, wilsonInterval } from "./wilson.ts";
