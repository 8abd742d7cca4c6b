import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { citationOf, pythonVersionOf, releaseNotes } from "./release-notes.ts";

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const date = new Date("2027-01-31T12:00:00Z");

test("what was unreleased becomes the version's section, word for word", () => {
  const text =
    "# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- One\n  line.\n- Two.\n\n## 0.1.0 - 2026-11-20\n\n### Added\n\n- First.\n";
  expect(releaseNotes(text, "0.2.0", date)).toBe(
    text.replace("## Unreleased", "## Unreleased\n\n## 0.2.0 - 2027-01-31"),
  );
});

test("a release without a word about it is refused", () => {
  expect(() => releaseNotes("# Changelog\n\n## Unreleased\n", "0.2.0", date)).toThrow(/Unreleased/);
});

test("this repository's changelog can be released, and keeps every line", () => {
  const before = read("CHANGELOG.md");
  const after = releaseNotes(before, "99.0.0", date).split("\n");
  expect(before.split("\n").filter((line) => !after.includes(line))).toEqual([]);
  expect(after).toContain("## 99.0.0 - 2027-01-31");
});

test("the citation names the version of package.json", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const text = read("CITATION.cff");
  expect(text).toContain(`\nversion: ${version}\n`);
  expect(citationOf(text, "1.2.3", date)).toMatch(/\nversion: 1\.2\.3\ndate-released: 2027-01-31\n/);
});

test("the Python package has the version of package.json", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const text = read("clients/python/src/microremed/__init__.py");
  expect(text).toContain(`\n__version__ = "${version}"\n`);
  expect(pythonVersionOf(text, "1.2.3")).toBe(text.replace(`"${version}"`, '"1.2.3"'));
});
