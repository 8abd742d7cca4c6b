import { expect, test } from "vitest";
import { hasNoProgram, isInitialising } from "./stuck-starts.ts";

const answer = [
  "ReplicaSet/cart-5d8f9 init:wait=2026-01-02T03:04:05Z init:then= main=false",
  "ReplicaSet/pay-77c4b init:wait= main=false exit:main=127127 side=true exit:side=",
  "StatefulSet/books main=true exit:main=128",
  "ReplicaSet/mail-5d8f9 main=false exit:main=137 side=false exit:side=",
  "<none>/<none> side=false exit:side=127",
].join("\n");

test("an init container that runs is one of the workload's own pods", () => {
  expect(isInitialising(answer, "cart", "wait")).toBe(true);
  expect(isInitialising(answer, "cart", "then")).toBe(false);
  expect(isInitialising(answer, "pay", "wait")).toBe(false);
  expect(isInitialising("", "cart", "wait")).toBe(false);
});

test("a program that is not there ends as a shell or a runtime says, now or the last time; a killed one does not", () => {
  expect(hasNoProgram(answer, "pay", "main")).toBe(true);
  expect(hasNoProgram(answer, "pay", "side")).toBe(false);
  expect(hasNoProgram(answer, "books", "main")).toBe(true);
  expect(hasNoProgram(answer, "mail", "main")).toBe(false);
  expect(hasNoProgram(answer, "mail", "side")).toBe(false);
  expect(hasNoProgram("", "books", "main")).toBe(false);
});
