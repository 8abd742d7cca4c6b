import type { Change } from "@microremed/contracts";
import { expect, test } from "vitest";
import { unlikeRecord } from "./unlike-record.ts";

const change = (object: string, of: NonNullable<Change["class"]>): Change => ({
  where: "arena",
  what: "changed",
  object,
  detail: "spec.sessionAffinity: none -> ClientIP",
  class: of,
});

test("a Service that was changed before an injection leaves no baseline, whether or not anything uses it", () => {
  expect(unlikeRecord([change("Service/idle", "changed")])).toMatch(
    /not as it was deployed: Service\/idle was changed \(spec\.sessionAffinity/,
  );
});

test("what is no worse than recorded, and what the cluster writes to pods, is no obstacle", () => {
  expect(unlikeRecord([])).toBeUndefined();
  expect(unlikeRecord([change("Deployment/a", "allowed"), change("Pod/a-1", "changed")])).toBeUndefined();
});

test("the first few are named", () => {
  const many = Array.from({ length: 8 }, (_, index) => change(`Service/s${index}`, "foreign"));
  expect(unlikeRecord(many)).toMatch(/Service\/s4 was .*; and 3 more$/);
});
