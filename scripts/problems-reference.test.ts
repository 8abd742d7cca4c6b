import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { problemsReference } from "./problems-reference.ts";

test("docs/reference/problems.md is what the suites say; run `npm run docs:generate`", async () => {
  expect(await readFile("docs/reference/problems.md", "utf8")).toBe(await problemsReference());
});
