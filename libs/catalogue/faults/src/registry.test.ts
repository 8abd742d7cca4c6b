import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faults, findFault } from "./registry.ts";

test("the registry holds exactly the faults of the folder, under their own names", () => {
  const files = readdirSync(join(import.meta.dirname, "faults")).map((file) => file.replace(/\.ts$/, ""));
  expect(Object.keys(faults).sort()).toEqual(files.sort());
  for (const [name, fault] of Object.entries(faults)) expect(fault.name).toBe(name);
});

test("recovery is judged by the symptom and never without readiness", () => {
  for (const fault of Object.values(faults)) {
    expect(fault.recovery).toContain(fault.symptom);
    expect(fault.recovery).toContain("ready");
    expect(fault.recovery).toContain("serving");
  }
});

test("an unknown failure is answered with the known ones", () => {
  expect(() => findFault("disk-full")).toThrow(/"disk-full"; known: "cpu-stress", .*"pod-config-error"/);
  expect(() => findFault("toString")).toThrow(/no failure "toString"/);
});
