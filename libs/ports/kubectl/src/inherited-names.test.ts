import { expect, test } from "vitest";
import { readKubectlLine } from "./kubectl-line.ts";
import { describe } from "./telemetry/over-cluster/describe.ts";

test("words that every object inherits are no flag and no kind", async () => {
  const { verb, operands } = readKubectlLine(["get", "--constructor", "pods", "--toString", "x"]);
  expect({ verb, operands }).toEqual({ verb: "get", operands: ["pods", "x"] });
  const cluster = { get: async () => undefined };
  const place = { cluster, namespace: "shop" } as unknown as Parameters<typeof describe>[1];
  for (const word of ["constructor", "toString", "__proto__"])
    await expect(describe({ kind: "describe", of: `${word}/x` }, place)).rejects.toThrow("There is no kind");
});
