import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { catalogueReference } from "./catalogue-reference.ts";

test("the committed catalogue reference is what the entries say (else: npm run docs:generate)", async () => {
  expect(await readFile("docs/reference/catalogue.md", "utf8")).toBe(await catalogueReference());
});
