export { breakText, paragraph } from "./break-text.ts";
export {
  type Compared,
  type ComparedReport,
  type Comparison,
  comparedSettings,
  compareGroups,
} from "./compare.ts";
export { type EpisodeRow, episodeRow } from "./episode-row.ts";
export { decimal, markdownTable, percent, plainPairs, plainTable, type Table } from "./format.ts";
export { type Group, groupsOf, isRuleBased, modelLabel } from "./group.ts";
export { escapeHtml, htmlPage, htmlTable } from "./html-page.ts";
export { incidentText } from "./incident.ts";
export { cohensKappa, krippendorffsAlpha } from "./kappa.ts";
export { outcomeText } from "./outcome-text.ts";
export { readReport } from "./read-report.ts";
export { renderBrief } from "./render-brief.ts";
export { renderComparisons } from "./render-comparison.ts";
export { renderHtml } from "./render-html.ts";
export { renderMarkdown, renderTable } from "./render-text.ts";
export {
  createReport,
  type Report,
  type ReportedExperiment,
  type ReportStatus,
  type Unfounded,
} from "./report.ts";
export type { Share } from "./share.ts";
export { subjectOf } from "./subject-of.ts";
export { type Summary, summarise } from "./summary.ts";
export { leaderboardTable } from "./tables.ts";
export type { TaskRow } from "./task-row.ts";
export { type Interval, wilsonInterval } from "./wilson.ts";
