import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "@microremed/deploy";
import { execa } from "execa";

/**
 * The commands of a block of shell commands under a heading of a page in `docs`, without comments; `block` counts from 0.
 * Throws where there is none.
 */
export async function pageCommands(page: string, heading: string, block = 0): Promise<readonly string[]> {
  const text = await readFile(join(repository, "docs", page), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const blocks = [...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n(.*?)^```$/gms)];
  const [, lines] = blocks[block] ?? [];
  if (lines === undefined) throw new TypeError(`docs/${page} has no commands under "${heading}"`);
  const commands: string[] = [];
  let command = "";
  for (const line of lines.trimEnd().split("\n")) {
    command += `${line}\n`;
    if (line.endsWith("\\") || !(await isWhole(command))) continue;
    if (!/^#/.test(command)) commands.push(command.trimEnd());
    command = "";
  }
  if (command !== "")
    throw new TypeError(`docs/${page}: a command under "${heading}" has no end: ${command}`);
  return commands;
}

/** Whether a shell would not wait for more. A page names what readers fill in as `<id>`, which a shell takes for a file. */
async function isWhole(command: string): Promise<boolean> {
  const filledIn = command.replaceAll(/<\w+>/g, "word");
  const { exitCode } = await execa("bash", ["-n", "-c", filledIn], { reject: false, timeout: 10_000 });
  return exitCode === 0;
}
