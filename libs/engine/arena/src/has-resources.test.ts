import { expect, test } from "vitest";
import { hasResources } from "./has-resources.ts";

const wanted = { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } };

test("quantities are compared by what they mean", () => {
  const live = { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: "0.1" } };
  expect(hasResources(live, wanted)).toBe(true);
  expect(hasResources({ ...live, limits: { cpu: "1", memory: "2Gi" } }, wanted)).toBe(false);
  expect(hasResources({ requests: live.requests }, wanted)).toBe(false);
  expect(hasResources(undefined, wanted)).toBe(false);
});

test("what the environment leaves open may be anything", () => {
  expect(hasResources({ limits: { cpu: "2" } }, {})).toBe(true);
  expect(hasResources({ ...wanted, requests: { cpu: "100m", memory: "1Gi" } }, wanted)).toBe(true);
});
