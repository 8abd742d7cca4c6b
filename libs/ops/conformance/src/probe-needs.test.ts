import { expect, test } from "vitest";
import { tooOld } from "./probe-needs.ts";

test.each([
  ["v1.27.16", "it holds from Kubernetes 1.28 on, and the server is v1.27.16"],
  ["v1.28.0", undefined],
  ["v1.31.9+k3s1", undefined],
  ["v1.9.0", "it holds from Kubernetes 1.28 on, and the server is v1.9.0"],
])("a case of 1.28 on %s", (version, reason) => {
  expect(tooOld("Kubernetes 1.28", version)).toBe(reason);
});

test("what is no version holds on any", () => {
  expect(tooOld("metrics-server", "v1.20.0")).toBeUndefined();
});
