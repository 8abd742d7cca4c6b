import { expect, test } from "vitest";
import { withoutDetails } from "./without-details.ts";

test("two listings of the same thing at different times are alike", () => {
  const one = "NAME                           READY   AGE\ncartservice-7d9c5b8f6d-x2x7k   1/1     3m12s";
  const other = "NAME                          READY   AGE\ncartservice-5f6bd9c7d8-zzkl4   1/1     47s";
  expect(withoutDetails(one)).toBe(withoutDetails(other));
});

test.each([
  ["uid: 0a1b2c3d-1111-2222-3333-444455556666", "uid: ffffffff-0000-1111-2222-333344445555"],
  ["at 2026-01-02T03:04:05.678Z from 10.244.0.7", "at 2025-12-31T23:59:59Z from 10.244.13.250"],
  ["cpu 250m, 12.5 %", "cpu 3m, 7 %"],
])("%s is like %s", (one, other) => {
  expect(withoutDetails(one)).toBe(withoutDetails(other));
});

test.each([
  ["Running", "Pending"],
  ["cartservice is slow", "adservice is slow"],
  ["deployment/cart-service", "deployment/mail-service"],
])("%s is not like %s", (one, other) => {
  expect(withoutDetails(one)).not.toBe(withoutDetails(other));
});
