import { visibleText } from "@microremed/core";
import { escapeHtml, htmlPage, htmlTable } from "@microremed/scoring";
import type { Block, Story } from "./story.types.ts";

/** A story as one self-contained page: no script, nothing fetched. */
export function renderStoryHtml({ title, summary, chapters }: Story): string {
  const facts = summary
    .filter(([name]) => name !== "")
    .map(([name = "", value = ""]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`);
  const sections = chapters.map(
    (chapter) =>
      `<section><h2>${escapeHtml(chapter.title)}</h2>\n${chapter.blocks.map(blockHtml).join("\n")}</section>`,
  );
  return visibleText(htmlPage(title, `<dl>${facts.join("")}</dl>\n${sections.join("\n")}`));
}

function blockHtml(block: Block): string {
  const caption = `<summary>${escapeHtml(block.caption)}</summary>`;
  switch (block.kind) {
    case "table":
      return `<details open>${caption}${htmlTable(block.table)}</details>`;
    case "text":
      return `<details open>${caption}<p class="said">${escapeHtml(block.text)}</p></details>`;
    case "code":
      return `<details open>${caption}<pre>${escapeHtml(block.text)}</pre></details>`;
    case "diff":
      return `<details open>${caption}<pre>${block.text.split("\n").map(diffLine).join("\n")}</pre></details>`;
    default:
      return block satisfies never;
  }
}

function diffLine(line: string): string {
  const tag = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : undefined;
  return tag ? `<${tag}>${escapeHtml(line)}</${tag}>` : escapeHtml(line);
}
