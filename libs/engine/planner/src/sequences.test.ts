import { createHash } from "node:crypto";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { isSequence, sequenceNamed, sequenceNames, unknownSequence } from "./sequences.ts";

const catalogue = await builtInCatalogue();

const counts = (level: string): Record<string, number> => {
  const result: Record<string, number> = {};
  for (const failure of sequenceNamed(level, catalogue)) result[failure] = (result[failure] ?? 0) + 1;
  return result;
};

// Digests of MicroRemed's own files (experiments/*.txt without a last newline): the order is theirs, name by name.
test.each([
  ["easy@1", 23, "a6635559e95f738e"],
  ["medium@1", 49, "37f8271de9bff46e"],
  ["hard@1", 80, "d1245cfd9cf76681"],
])("%s is MicroRemed's sequence", (level, length, digest) => {
  expect(sequenceNamed(level, catalogue)).toHaveLength(length);
  expect(
    createHash("sha256").update(sequenceNamed(level, catalogue).join("\n")).digest("hex").slice(0, 16),
  ).toBe(digest);
});

test("every failure has a sequence of fifteen", () => {
  for (const name of catalogue.faults.names) expect(counts(name)).toEqual({ [name]: 15 });
});

test("a fault goes by its name with and without the first version, a suite with its version only; whatever is listed works", () => {
  expect(["easy", "easy@1", "none", "none@1"].map((name) => isSequence(name, catalogue))).toEqual([
    ...[false, true],
    ...[true, true],
  ]);
  expect(unknownSequence("easy", sequenceNames(catalogue))).toContain('"easy"; say which version: "easy@1"');
  // As records of before have it.
  expect(sequenceNamed("easy", catalogue)).toEqual(sequenceNamed("easy@1", catalogue));
  expect(counts("none@1")).toEqual({ none: 15 });
  for (const name of sequenceNames(catalogue)) expect(sequenceNamed(name, catalogue)).not.toEqual([]);
  for (const name of ["easy@2", "random", "random@1", "@1", "toString"]) {
    expect(() => sequenceNamed(name, catalogue)).toThrow(/no suite or failure is called/);
  }
});
