import { type KubeObject, readReconciled } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { judgePods, judgeReconciled, notReconciled } from "./index.ts";

const database = (generation: number, status: unknown): KubeObject => ({
  apiVersion: "example.org/v1",
  kind: "Database",
  metadata: { name: "books", generation },
  status,
});
const condition = (status: string, more: object = {}) => ({
  observedGeneration: 3,
  conditions: [
    { type: "Backup", status: "False" },
    { type: "Ready", status, ...more },
  ],
});

test("one that its operator says to be Ready in its present version is reconciled", () => {
  const all = readReconciled(database(3, condition("True")));
  expect(all).toEqual([{ name: "Database/books", why: undefined, isSaid: false }]);
  expect(judgeReconciled(all, 1, 0)).toMatchObject({ passed: true });
  expect(notReconciled(all, 0)).toMatchObject({ shows: false });
});

test("one that is not Ready is not, and its operator's words say why", () => {
  const all = readReconciled(
    database(3, condition("False", { reason: "SyncFailed", message: "no such class" })),
  );
  expect(judgeReconciled(all, 1, 0)).toMatchObject({
    passed: false,
    reason: expect.stringContaining("Database/books is not Ready: SyncFailed: no such class"),
  });
  expect(notReconciled(all, 0)).toMatchObject({ shows: true });
});

test("what was said of an earlier version does not count", () => {
  const [one] = readReconciled(database(4, condition("True")));
  expect(one?.why).toBe("has not been seen by its operator since it was changed");
  expect(notReconciled(one ? [one] : [], 0)).toMatchObject({ shows: false });
});

test("of one without the condition nothing is known, and one that is gone is missed", () => {
  expect(readReconciled(database(1, {}))).toEqual([]);
  expect(readReconciled(database(1, { conditions: "none" }))).toEqual([]);
  expect(judgeReconciled([], 1, 0)).toMatchObject({ passed: false });
});

test("a system without custom resources has nothing to reconcile, as long as the target is there", () => {
  expect(judgePods("cart", 2, 0)).toMatchObject({ passed: true });
  expect(judgePods("cart", 0, 0)).toMatchObject({
    passed: false,
    reason: expect.stringContaining("no pods of cart"),
  });
});
