import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { levels } from "./levels.ts";
import { faults } from "./registry.ts";

const counts = (level: string): Record<string, number> => {
  const result: Record<string, number> = {};
  for (const failure of levels[level] ?? []) result[failure] = (result[failure] ?? 0) + 1;
  return result;
};

// Digests of MicroRemed's own files (experiments/*.txt without a last newline): the order is theirs, name by name.
test.each([
  ["easy", 23, "a6635559e95f738e"],
  ["medium", 49, "37f8271de9bff46e"],
  ["hard", 80, "d1245cfd9cf76681"],
])("%s is MicroRemed's sequence", (level, length, digest) => {
  expect(levels[level]).toHaveLength(length);
  expect(
    createHash("sha256")
      .update((levels[level] ?? []).join("\n"))
      .digest("hex")
      .slice(0, 16),
  ).toBe(digest);
});

test("every failure has a sequence of fifteen", () => {
  for (const name of Object.keys(faults)) expect(counts(name)).toEqual({ [name]: 15 });
});
