import { expect, test } from "vitest";
import { isInitialising, isUnready } from "./stuck-starts.ts";

const answer = [
  "ReplicaSet/cart-5d8f9 init:wait=2026-01-02T03:04:05Z init:then= main=false",
  "ReplicaSet/pay-77c4b init:wait= main=false side=true",
  "StatefulSet/books main=false",
  "<none>/<none> side=false",
].join("\n");

test("an init container that runs is one of the workload's own pods", () => {
  expect(isInitialising(answer, "cart", "wait")).toBe(true);
  expect(isInitialising(answer, "cart", "then")).toBe(false);
  expect(isInitialising(answer, "pay", "wait")).toBe(false);
  expect(isInitialising("", "cart", "wait")).toBe(false);
});

test("a container that is not ready is one of the workload's own pods", () => {
  expect(isUnready(answer, "pay", "main")).toBe(true);
  expect(isUnready(answer, "pay", "side")).toBe(false);
  expect(isUnready(answer, "books", "main")).toBe(true);
  expect(isUnready("", "books", "main")).toBe(false);
});
