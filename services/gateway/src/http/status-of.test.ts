import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statuses } from "./status-of.ts";

test("the documentation has the status of every error's code", () => {
  const page = readFileSync(new URL("../../../../docs/gateway.md", import.meta.url), "utf8");
  const rows = page.matchAll(/^\| (\d{3}) \| (`.*`) \|$/gm);
  const documented = [...rows].flatMap(([, status, codes = ""]) =>
    codes.split(", ").map((code) => [code.replaceAll("`", ""), Number(status)] as const),
  );
  expect(Object.fromEntries(documented)).toEqual(statuses);
});
