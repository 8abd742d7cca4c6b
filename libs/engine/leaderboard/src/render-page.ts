import {
  decimal,
  escapeHtml,
  htmlPage,
  htmlTable,
  modelLabel,
  percent,
  type Table,
} from "@microremed/scoring";
import type { Entry, Leaderboard } from "./leaderboard.ts";

/** One self-contained page: no script, nothing fetched. */
export function renderLeaderboard({ title, boards }: Leaderboard): string {
  const sections = boards.map(
    ({ subject, entries }) =>
      `<section><h2>${escapeHtml(subject)}</h2>\n${htmlTable(tableOf(entries))}</section>`,
  );
  return htmlPage(title, sections.join("\n"), note);
}

const note = `<p>Intervals are 95 % Wilson intervals. Planned episodes that are missing or were cancelled, and episodes that ended in
an error after the agent had been given something, are failures. Rows marked floor and ceiling are rules that mark what idleness, chance and an expert's
rules achieve. A key is who signed the run; <code>microremed leaderboard submit &lt;folder&gt;</code> checks the signature, grades
again and replays. The same numbers are in <a href="leaderboard.json">leaderboard.json</a>, its format in
<a href="leaderboard.schema.json">leaderboard.schema.json</a>.</p>`;

/** What fits a terminal of the same. */
export function shortTableOf(entries: readonly Entry[]): Table {
  const isCleanAsked = entries.some(({ clean }) => clean !== null);
  return [
    ["rank", "agent", "version", "success", "95 %", "of", ...(isCleanAsked ? ["clean"] : []), "runs"],
    ...entries.map((entry) => [
      String(entry.rank),
      entry.agent,
      entry.version ?? "-",
      ...shareCells(entry.success),
      String(entry.success.of),
      ...(isCleanAsked ? [percent(entry.clean?.rate ?? null)] : []),
      entry.runs[0]?.key ? listed(entry.runs.map(({ digest }) => digest.slice(0, 12))) : "not signed",
    ]),
  ];
}

/** The entries of a board as a table, the best first. */
function tableOf(entries: readonly Entry[]): Table {
  const tasks = [...new Set(entries.flatMap((entry) => entry.tasks.map(({ task }) => task)))];
  const isCleanAsked = entries.some(({ clean }) => clean !== null);
  const head = ["rank", "agent", "version", "by", "model", "method", "success", "95 %", "of"];
  const costs = ["US$ each", "tokens", "model s", "cluster s", "seeds", "MicroRemed", "runs", "key", ""];
  return [
    [...head, ...(isCleanAsked ? ["clean", "95 %"] : []), ...tasks, ...costs],
    ...entries.map((entry) => [
      String(entry.rank),
      entry.agent,
      entry.version ?? "-",
      entry.by ?? "-",
      modelLabel(entry.model),
      entry.method,
      ...shareCells(entry.success),
      String(entry.success.of),
      ...(isCleanAsked ? shareCells(entry.clean) : []),
      ...tasks.map((task) => percent(entry.tasks.find((one) => one.task === task)?.rate ?? null)),
      decimal(entry.costPerEpisode, 3),
      decimal(entry.tokensPerEpisode, 0),
      decimal(entry.modelSeconds),
      decimal(entry.clusterSeconds),
      listed(entry.runs.map(({ seed }) => String(seed))),
      listed(entry.runs.map(({ harnessVersion }) => harnessVersion)),
      listed(entry.runs.map(({ digest }) => digest.slice(0, 12))),
      entry.runs[0]?.key ?? "not signed",
      entry.bound ?? (entry.missing > 0 ? `${entry.missing} missing` : ""),
    ]),
  ];
}

const listed = (values: readonly string[]): string => [...new Set(values)].join(", ");

function shareCells(share: Entry["clean"]): [string, string] {
  if (share === null || share.low === null || share.high === null) return ["-", "-"];
  return [percent(share.rate), `[${Math.round(share.low * 100)}, ${Math.round(share.high * 100)}]`];
}
