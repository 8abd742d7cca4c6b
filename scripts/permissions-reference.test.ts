import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { permissionsReference } from "./permissions-reference.ts";

test("the committed list of rights is what the servers are configured with (else: npm run docs:generate)", async () => {
  expect(await readFile("docs/reference/permissions.md", "utf8")).toBe(permissionsReference());
});
