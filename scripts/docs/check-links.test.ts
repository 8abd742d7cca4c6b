import { lexer } from "marked";
import { expect, test } from "vitest";
import { deadLinks, missingPaths } from "./check-links.ts";
import { pages, repositoryFiles } from "./pages.ts";

test("every relative link leads to a file, and every anchor to a heading", () => {
  expect(pages().length).toBeGreaterThan(50);
  expect(deadLinks(pages(), repositoryFiles())).toEqual([]);
});

test("missing files, folders and missing headings are found, in tables and lists too", () => {
  const page = (path: string, text: string) => ({ path, tokens: lexer(text) });
  const one = page(
    "docs/one.md",
    "# A `b` C\n\n## D\n\n## D\n\n[ok](#a-b-c) [ok](#d-1) [bad](#d-2)\n\n| a |\n| --- |\n| [bad](two.md) |\n\n- [bad](../libs)\n- [ok](../README.md#top) [ok](https://example.org/#none)\n\n[bad][ref]\n\n[ref]: ../README.md#bottom",
  );
  const readme = page("README.md", "# Top\n\n![bad](docs/picture.png)");
  expect(deadLinks([one, readme], ["docs/one.md", "README.md", "libs/a.ts"])).toEqual([
    "docs/one.md: #d-2: no such heading",
    "docs/one.md: two.md: no such file",
    "docs/one.md: ../libs: a folder: link to a file in it",
    "docs/one.md: ../README.md#bottom: no such heading",
    "README.md: docs/picture.png: no such file",
  ]);
});

test("every path of the repository that a page names exists", () => {
  expect(missingPaths(pages(), repositoryFiles())).toEqual([]);
  const page = {
    path: "a.md",
    tokens: lexer("`libs/core` `libs/core/` `libs/gone/a.ts` `libs/*/x` `scripts/setup`"),
  };
  expect(missingPaths([page], ["libs/core/package.json", "scripts/setup"])).toEqual([
    "a.md: libs/gone/a.ts: no such path",
  ]);
});
