import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { planCases } from "./plan.ts";

/** `<environment> <suite> <seed>` -> what 0.1.0 drew: a digest of all cases, their number, the first and the last. */
const published: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "testdata/published-cases.json"), "utf8"),
);
const catalogue = await builtInCatalogue();

function draw(key: string): string {
  const match = /^(\S+) (\S+|random 40) (\d+)$/.exec(key);
  const [, system = "", plan = "", seed] = match ?? [];
  const failures = plan === "random 40" ? { random: 40 } : plan;
  const cases = planCases({ failures, seed: Number(seed) }, catalogue.environments.get(system), catalogue);
  const digest = createHash("sha256").update(JSON.stringify(cases)).digest("base64url").slice(0, 22);
  return `${digest} ${cases.length} ${cases[0]?.failure} ${cases[0]?.target} ${cases.at(-1)?.target}`;
}

test("every suite, level and draw gives the cases, targets, alternatives and ids that 0.1.0 gave", () => {
  expect(Object.keys(published).length).toBeGreaterThan(100);
  expect(Object.fromEntries(Object.keys(published).map((key) => [key, draw(key)]))).toEqual(published);
});
