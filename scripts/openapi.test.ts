import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clientTypes, digestOfDocument, openApiDocument } from "./openapi.ts";

test("the types of the TypeScript client are of the gateway's document (else: npm run client:generate)", async () => {
  const [first] = (await readFile(clientTypes, "utf8")).split("\n", 1);
  expect(first).toBe(`// openapi.json ${digestOfDocument(await openApiDocument())}`);
});
