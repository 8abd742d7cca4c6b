import { readFile } from "node:fs/promises";
import { builtInCatalogue } from "@microremed/registry";
import { readCorpus } from "@microremed/remedies";
import { expect, test } from "vitest";

const page = await readFile("docs/scoring.md", "utf8");
const { oracles, tasks, faults, environments } = await builtInCatalogue();
const corpus = readCorpus([], { faults: faults.names, environments: environments.names });

/** From a heading of the second level to the next one; throws if there is none, so that nothing passes unread. */
function section(heading: string): string {
  const [, text] = page.split(`\n## ${heading}\n`);
  if (text === undefined) throw new Error(`docs/scoring.md has no section "## ${heading}"`);
  return text.split("\n## ")[0] ?? "";
}

/** The names in the first column of the first table below a heading, without backticks and brackets. */
function firstColumn(heading: string, header: string): string[] {
  const [, table = ""] = section(heading).split(`\n| ${header} |`);
  const [rows = ""] = table.split("\n\n");
  return [...rows.matchAll(/^\| ([^|]+?) \|/gm)].flatMap(([, cell = ""]) =>
    cell
      .replaceAll("`", "")
      .replace(/ \(.*\)$/, "")
      .split(", ")
      .filter((name) => name !== "---"),
  );
}

const headings = [...section("The oracles").matchAll(/^### ([a-z0-9, -]+?)(?: \(.*\))?$/gm)].flatMap(
  ([, names = ""]) => names.split(", "),
);
const rows = firstColumn("Tasks", "task");
const classes = firstColumn("The verdict's own error", "class");

test.each(oracles.names)("%s: docs/scoring.md has a section of it", (name) => {
  const missing = `add "### ${name}" below "## The oracles" of docs/scoring.md, at most with its faults in brackets behind it: "### ${name} (network-loss)"`;
  expect(headings, missing).toContain(name);
});

test.each(tasks.names)("%s: docs/scoring.md has a row of it", (name) => {
  expect(rows, `add "| \`${name}\` | ..." to the table below "## Tasks" of docs/scoring.md`).toContain(name);
});

test.each(corpus)("$name: docs/scoring.md describes its class", ({ name, class: itsClass }) => {
  const unknown = `the class "${itsClass}" of ${name}.yaml is not in the table of classes below "## The verdict's own error" of docs/scoring.md: use one of that table, or add a row`;
  expect(classes, unknown).toContain(itsClass);
});

test("docs/scoring.md describes no oracle and no task that there is not", () => {
  expect(headings.filter((name) => !oracles.has(name))).toEqual([]);
  expect(rows.filter((name) => !tasks.has(name))).toEqual([]);
});
