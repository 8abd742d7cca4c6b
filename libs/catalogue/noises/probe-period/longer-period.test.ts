import { noticesTooLate } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { longerPeriod } from "./longer-period.ts";

test("a period grows, and failures are noticed in time", () => {
  expect(longerPeriod({}, 5)).toBe(15);
  const quick = { periodSeconds: 2, initialDelaySeconds: 1 };
  const period = longerPeriod(quick, 9);
  expect(period).toBe(6);
  expect(noticesTooLate(quick, { ...quick, periodSeconds: period })).toBe(false);
});
