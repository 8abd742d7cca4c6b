import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** All that a file imports at run time, and what its own files import: packages by name. */
async function packagesOf(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  const packages = new Set<string>();
  if (seen.has(file.href)) return packages;
  seen.add(file.href);
  const source = await readFile(file, "utf8");
  for (const [, name = ""] of source.matchAll(/^(?:import|export) (?!type )[^"]*from "([^"]+)"/gm)) {
    if (!name.startsWith(".")) packages.add(name);
    else for (const inner of await packagesOf(new URL(name, file), seen)) packages.add(inner);
  }
  return packages;
}

test.each([
  ["./index.ts", false],
  ["./memory/index.ts", false],
  ["./nats/index.ts", true],
])("%s imports a NATS client: %s", async (door, expected) => {
  const packages = [...(await packagesOf(new URL(door, import.meta.url)))];
  expect(packages.some((name) => name.startsWith("@nats-io/"))).toBe(expected);
});
