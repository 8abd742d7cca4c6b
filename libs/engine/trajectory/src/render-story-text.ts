import { visibleText } from "@microremed/core";
import { paragraph, plainPairs, plainTable } from "@microremed/scoring";
import type { Block, Story } from "./story.types.ts";

/**
 * A story for a terminal of `width` characters or a file: plain text, headings in Markdown's way. Tables fit; texts of
 * models and clusters keep their lines.
 */
export function renderStoryText({ title, summary, chapters }: Story, width?: number): string {
  const facts = summary.filter(([name]) => name !== "");
  const parts = chapters.map(
    ({ title: heading, blocks }) =>
      `## ${heading}\n\n${blocks.map((block) => blockText(block, width)).join("\n\n")}`,
  );
  return printable(`# ${title}\n\n${plainPairs(facts, width)}\n\n${parts.join("\n\n")}\n`);
}

function blockText(block: Block, width: number | undefined): string {
  const body = block.kind === "table" ? plainTable(block.table, width) : block.text.trimEnd();
  return `${paragraph(`--- ${block.caption}`, width ?? Number.POSITIVE_INFINITY)}\n${body}`;
}

/** Texts come from models and clusters: none of their characters may steer a terminal, or show another text than there is. */
function printable(text: string): string {
  return visibleText(text.replaceAll(/[^\P{Cc}\n\t]/gu, "\u{fffd}"));
}
