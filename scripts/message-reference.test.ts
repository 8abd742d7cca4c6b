import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { messageReference } from "./message-reference.ts";

test("the committed message reference is what the schemas say (else: npm run docs:generate)", async () => {
  expect(await readFile("docs/reference/messages.md", "utf8")).toBe(messageReference());
});
