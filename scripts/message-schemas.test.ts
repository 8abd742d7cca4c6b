import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { messageIndex } from "./message-index.ts";
import { messageSchemas } from "./message-schemas.ts";

const folder = "libs/contracts/schemas";

test("the committed JSON schemas are those of the messages (else: npm run docs:generate)", async () => {
  const schemas = messageSchemas();
  expect((await readdir(folder)).sort()).toEqual(Object.keys(schemas).sort());
  for (const [name, text] of Object.entries(schemas))
    expect([name, await readFile(`${folder}/${name}`, "utf8")]).toEqual([name, text]);
});

test("the index of the messages names every file of their folder (else: npm run docs:generate)", async () => {
  expect(await readFile("libs/contracts/src/messages/index.ts", "utf8")).toBe(messageIndex());
});
