import { readFile } from "node:fs/promises";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";

test("docs/scoring.md has a section for every oracle, whose heading begins with its name", async () => {
  const page = await readFile("docs/scoring.md", "utf8");
  const [, section = ""] = page.split("\n## The oracles\n");
  const [oracles = ""] = section.split("\n## ");
  const described = [...oracles.matchAll(/^### ([a-z, -]+?)(?: \(.*\))?$/gm)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
  const { oracles: known } = await builtInCatalogue();
  expect(described.toSorted()).toEqual(known.names.toSorted());
});
