import { defineFault, z } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { parameterIssues } from "./parameter-issues.ts";

const catalogue = await builtInCatalogue();
const boutique = catalogue.environments.get("online-boutique");

const issues = (parameters: Record<string, Record<string, unknown>>, from = catalogue) =>
  parameterIssues({ failures: ["cpu-stress", "none"], seed: 1, parameters }, boutique, from);

test("takes what a failure's own schema takes", () => {
  expect(issues({})).toEqual([]);
  expect(issues({ "cpu-stress": { workers: 2, load: 50 }, none: {} })).toEqual([]);
});

test("names every wrong field, and the failures and parameters that there are", () => {
  const wrong = issues({
    "cpu-stress": { workers: 0, load: "all", colour: "red" },
    none: { workers: 1 },
    "disk-io": { percent: 1 },
  });
  const found = Object.fromEntries(wrong.map(({ path, message }) => [path, message]));
  expect(Object.keys(found)).toEqual([
    "parameters.cpu-stress.colour",
    "parameters.cpu-stress.workers",
    "parameters.cpu-stress.load",
    "parameters.none.workers",
    "parameters.disk-io",
  ]);
  expect(found["parameters.cpu-stress.colour"]).toMatch(/no such parameter; expected .*workers.*load/);
  expect(found["parameters.cpu-stress.workers"]).toBe("expected a number of at least 1");
  expect(found["parameters.cpu-stress.load"]).toBe("expected a number");
  expect(found["parameters.none.workers"]).toMatch(/it has no parameters/);
  expect(found["parameters.disk-io"]).toMatch(/no case of this request has this failure.*cpu-stress/);
});

test("a schema whose code throws is a wrong field, too", () => {
  const fault = catalogue.faults.get("cpu-stress");
  const parameters = z.object({
    workers: z
      .int()
      .default(1)
      .refine(() => {
        throw new Error("out of order");
      }),
  });
  const broken = defineFault({ ...fault, parameters });
  const faults = { ...catalogue.faults, get: () => broken };
  expect(issues({ "cpu-stress": { workers: 2 } }, { ...catalogue, faults })).toEqual([
    { path: "parameters.cpu-stress", message: expect.stringContaining("out of order") },
  ]);
});
