import { expect, test } from "vitest";
import { splitCommand } from "./split-command.ts";

test("splits at blanks and keeps quoted text together", () => {
  expect(splitCommand(`patch cm one -p '{"a": "b c"}' -o jsonpath='{.x}' --note="it is"`)).toEqual([
    "patch",
    "cm",
    "one",
    "-p",
    '{"a": "b c"}',
    "-o",
    "jsonpath={.x}",
    "--note=it is",
  ]);
  expect(splitCommand("run -l ''")).toEqual(["run", "-l", ""]);
});
