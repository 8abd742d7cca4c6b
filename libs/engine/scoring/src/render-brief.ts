import { isPassed } from "@microremed/contracts";
import { breakText } from "./break-text.ts";
import type { EpisodeRow } from "./episode-row.ts";
import { percent, percentInterval, plainPairs, plainTable, type Table } from "./format.ts";
import { type Group, modelLabel } from "./group.ts";
import { outcomeText } from "./outcome-text.ts";
import type { Report } from "./report.ts";
import { share } from "./share.ts";
import { isControl, isIntact, isJudged, withErrors } from "./summary.ts";
import { firstLine, headingTable, ranked } from "./tables.ts";
import { wilsonInterval } from "./wilson.ts";

/** Failed episodes that are named one by one. */
const mostNamed = 20;
/** What every report says, or says again in its rows. */
const leftOut: ReadonlySet<string> = new Set(["method", "task", "model", "problems", "MicroRemed"]);

/**
 * The report in short for a terminal of `width` characters: what was tried, what came of it at each task where something was wrong
 * and where nothing was, and why the others failed. `renderTable` has everything.
 */
export function renderBrief(report: Report, width?: number): string {
  const heading = headingTable(report).filter(([name = ""]) => !leftOut.has(name));
  const agents = new Set(ranked(report.groups).map(agentOf));
  const results = [...agents].map((agent) => {
    const table = resultTable(
      report,
      report.groups.filter((group) => agentOf(group) === agent),
    );
    return `${agent}\n\n${plainTable(withoutEmpty(table), width)}`;
  });
  return `${[plainPairs(heading, width), ...results, ...failed(report, width)].join("\n\n")}\n`;
}

type Rows = readonly EpisodeRow[];

const agentOf = ({ model, method, bound }: Group): string =>
  `${modelLabel(model)}, ${method}${bound === null ? "" : ` (${bound})`}`;

/** Of one agent. */
function resultTable({ episodes }: Report, groups: readonly Group[]): Table {
  const rows = groups.flatMap((group) => {
    const own = episodes.filter(
      (row) => row.model === group.model && row.method === group.method && row.task === group.task,
    );
    const cases = Map.groupBy(own, ({ incident }) => (incident.length > 0 ? "fault" : "healthy system"));
    return [...[...cases].toSorted().map(([what, some]) => resultOf(group, what, some)), ...partsOf(group)];
  });
  return [
    ["task", "case", "passed", "rate", "95 % interval", "with errors as failures", "clean", "not judged"],
    ...rows,
  ];
}

function resultOf({ task, summary }: Group, what: string, rows: Rows): string[] {
  const judged = rows.filter(isJudged);
  const passed = judged.filter(isPassedRow).length;
  return [
    task,
    what,
    `${passed} of ${judged.length}`,
    judged.length === 0 ? "-" : percent(passed / judged.length),
    percentInterval(wilsonInterval(passed, judged.length) ?? null),
    errorsBeside(rows),
    what !== "fault" || summary.clean.of === 0 ? "" : percent(summary.clean.rate),
    notJudged(rows),
  ];
}

/** The tasks of episodes that ask for several. */
const partsOf = ({ task, summary }: Group): string[][] =>
  summary.tasks
    .filter((one) => one.task !== task)
    .map((one) => [
      `  ${one.task}`,
      "",
      `${one.passed} of ${one.of}`,
      percent(one.rate),
      percentInterval(one.interval),
    ]);

/** A rate that an agent could raise by errors does not stand alone; empty: it could not. */
function errorsBeside(rows: Rows): string {
  const { hits, of, rate, interval } = share(rows, (row) => withErrors(row, isPassedRow(row)));
  const judged = rows.filter(isJudged);
  const isSame = of === judged.length && hits === judged.filter(isPassedRow).length;
  return isSame ? "" : `${percent(rate)} ${percentInterval(interval)}`;
}

const isPassedRow = (row: EpisodeRow): boolean => (isControl(row) ? isIntact(row) : isPassed(row.outcome));

/** Of which nothing is known of the agent: injections that failed, errors of the harness and so on. */
function notJudged(rows: Rows): string {
  const others = Map.groupBy(
    rows.filter((row) => !isJudged(row)),
    ({ outcome }) => outcome ?? "running",
  );
  return [...others].map(([outcome, some]) => `${some.length} ${outcome}`).join(", ");
}

/** Without the columns in which no row says anything. */
function withoutEmpty(table: Table): Table {
  const [, ...rows] = table;
  const isSaid = (column: number): boolean => rows.some((row) => (row[column] ?? "") !== "");
  return table.map((row) => row.filter((_, column) => isSaid(column)));
}

/** Each episode that did not pass, and why. */
function failed({ episodes, request }: Report, width: number | undefined): string[] {
  const all = episodes.filter((row) => row.outcome !== null && !(isJudged(row) && isPassedRow(row)));
  if (all.length === 0) return [];
  const severalAgents = new Set(episodes.map(({ model, method }) => `${model} ${method}`)).size > 1;
  const lines = all.slice(0, mostNamed).flatMap((row) => {
    const what =
      row.problem ?? (row.failure === "none" ? "nothing wrong" : `${row.failure} on ${row.target}`);
    const agent = severalAgents ? `, ${row.model}, ${row.method}` : "";
    const repeat = request.repeats > 1 ? `, run ${row.repeat}` : "";
    const damage =
      isControl(row) && isPassed(row.outcome) && row.damage ? `left ${row.damage} changes; ` : "";
    const head = `#${row.index} ${what}, ${row.task}${agent}${repeat}: ${outcomeText(row)}`;
    const why = breakText(`${damage}${firstLine(row.reason ?? "")}`, (width ?? 80) - 4);
    return [...breakText(head, width ?? 80), ...why.map((line) => `    ${line}`)];
  });
  const more = all.length > mostNamed ? [`... and ${all.length - mostNamed} more`] : [];
  return [`NOT PASSED\n\n${[...lines, ...more].join("\n")}`];
}
