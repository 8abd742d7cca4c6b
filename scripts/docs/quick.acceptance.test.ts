import { describe, expect, test } from "vitest";
import { pages } from "./pages.ts";
import { blocksOf } from "./read-blocks.ts";
import { runPage } from "./run-page.ts";

/** Pages with blocks that need nothing but Node. */
const tried = pages()
  .map((page) => ({
    path: page.path,
    blocks: blocksOf(page).filter(({ trial }) => trial?.kind === "quick"),
  }))
  .filter(({ blocks }) => blocks.length > 0);

test("there are such pages", () => {
  expect(tried.length).toBeGreaterThan(2);
});

describe("the commands of a page run in a fresh copy of the repository", () => {
  test.each(tried)("$path", ({ path, blocks }) => runPage(path, blocks, { plain: true }));
});
