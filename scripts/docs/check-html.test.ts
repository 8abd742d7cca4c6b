import { lexer } from "marked";
import { expect, test } from "vitest";
import { hiddenText } from "./check-html.ts";
import { pages } from "./pages.ts";

test("no text of a page is taken for HTML (else: write it as code)", () => {
  expect(hiddenText(pages())).toEqual([]);
});

test("a placeholder in prose, in a table and in a heading is found, a comment or code is not", () => {
  const text = "# A <b>\n\n<!-- c --> d `<e>`\n\n| f |\n| --- |\n| g <h> |\n\n```\n<i>\n```";
  expect(hiddenText([{ path: "a.md", tokens: lexer(text) }])).toEqual(["a.md: <b>", "a.md: <h>"]);
});
