import { visibleText } from "@microremed/core";
import { plainTable } from "@microremed/scoring";
import type { Block, Story } from "./story.types.ts";

/** A story for a terminal or a file: plain text, headings in Markdown's way. */
export function renderStoryText({ title, summary, chapters }: Story): string {
  const facts = summary.filter(([name]) => name !== "");
  const widest = Math.max(...facts.map(([name = ""]) => name.length));
  const lines = facts.map(([name = "", value = ""]) => `${name.padEnd(widest)}  ${value}`);
  const parts = chapters.map(
    ({ title: heading, blocks }) => `## ${heading}\n\n${blocks.map(blockText).join("\n\n")}`,
  );
  return printable(`# ${title}\n\n${lines.join("\n")}\n\n${parts.join("\n\n")}\n`);
}

function blockText(block: Block): string {
  const body = block.kind === "table" ? plainTable(block.table) : block.text.trimEnd();
  return `--- ${block.caption}\n${body}`;
}

/** Texts come from models and clusters: none of their characters may steer a terminal, or show another text than there is. */
function printable(text: string): string {
  return visibleText(text.replaceAll(/[^\P{Cc}\n\t]/gu, "\u{fffd}"));
}
