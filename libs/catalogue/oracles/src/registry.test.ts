import { readdirSync } from "node:fs";
import { join } from "node:path";
import { faults } from "@microremed/faults";
import { expect, test } from "vitest";
import { generalOracles, oracles } from "./registry.ts";

test("the registry holds exactly the oracles of the folder, under their own names", () => {
  const files = readdirSync(join(import.meta.dirname, "oracles"))
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => file.replace(/\.ts$/, ""));
  const all = [...Object.values(oracles), ...generalOracles];
  expect(all.map(({ name }) => name as string).sort()).toEqual(files.sort());
  for (const [name, oracle] of Object.entries(oracles)) expect(oracle.name).toBe(name);
});

test("whatever a fault names as its symptom can show one", () => {
  for (const fault of Object.values(faults)) expect(oracles[fault.symptom].symptom).toBeDefined();
});
