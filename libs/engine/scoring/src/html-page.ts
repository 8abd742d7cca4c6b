import type { Table } from "./format.ts";

/** One self-contained page: no script, nothing fetched. `main` and `note`, below the heading, are HTML. */
export function htmlPage(title: string, main: string, note = ""): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><header><h1>${escapeHtml(title)}</h1>
${note}</header>
<main>${main}</main></body></html>
`;
}

/** A table as HTML, its first row as the heading; every cell is escaped. No rows: the empty string. */
export function htmlTable(table: Table): string {
  const [heading, ...rows] = table;
  if (!heading) return "";
  const line = (cells: readonly string[], tag: "td" | "th") =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll"><table><thead>${line(heading, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("\n")}</tbody></table></div>`;
}

/** Names and reasons come from models and clusters: nothing of them may become markup. */
export function escapeHtml(text: string): string {
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
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--track); padding: .6rem .9rem; border-radius: 4px; font-size: 13px; } .said { white-space: pre-wrap; } ins { color: light-dark(#1a7f37, #4ac26b); text-decoration: none; } del { color: light-dark(#b3261e, #f2857c); text-decoration: none; }
summary { cursor: pointer; color: var(--soft); }
`;
