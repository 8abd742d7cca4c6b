import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asLine, findingsIn, readAll } from "./words.ts";
import { words } from "./words-table.ts";

const root = join(import.meta.dirname, "..");
const found = readAll();

test("documentation, help, messages, comments and identifiers use plain words", () => {
  expect(found.map(asLine)).toEqual([]);
});

test("a finding gives file, line, word and replacement", () => {
  const [one] = findingsIn("docs/a.md", "one\nThe agent is told the verdict.");
  expect(one && asLine(one)).toBe("docs/a.md:2: told -> report, show, state, give, distinguish");
});

test("reads prose and parts of identifiers, and leaves the field's terms and quoted names alone", () => {
  const foundIn = (line: string) => findingsIn("libs/x.ts", line).map(({ found }) => found.toLowerCase());
  expect(foundIn("const lookEveryMs = waker.patienceMs;")).toEqual(["look", "waker", "patience"]);
  expect(foundIn("WAKER_2, HTTPLook, look2, kebab-waker-x")).toEqual(["look", "look", "waker", "waker"]);
  expect(foundIn("// DNS lookup, a look-behind, an error looking up x")).toEqual([]);
  expect(foundIn('the user "nobody"; whoever has it')).toEqual(["whoever"]);
  expect(findingsIn("libs/sim/x.ts", "createWorld(seed)")).toEqual([]);
});

test("the glossary has every word of the table", () => {
  const glossary =
    readFileSync(join(root, "docs", "glossary.md"), "utf8").split("## Words to avoid")[1] ?? "";
  const rows = glossary.split("\n").filter((line) => line.startsWith("| "));
  const missing = words.filter(({ word }) => !rows.some((row) => new RegExp(word.source, "i").test(row)));
  expect(missing).toEqual([]);
});
