import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const names = ["easy@1", "hard@1", "range@1/simple-micro-calm-01", "range@1/simple-micro-calm-02"];

test.each([
  ["esay@1", ["easy@1"]],
  ["HARD", ["hard@1"]],
  ["range@1", ["range@1/simple-micro-calm-01", "range@1/simple-micro-calm-02"]],
  ["range@1/simple-micro-clam-02", ["range@1/simple-micro-calm-02", "range@1/simple-micro-calm-01"]],
  ["something else", []],
  ["", []],
])("%j is like %j", (wrong, like) => {
  expect(nearest(wrong, names)).toEqual(like);
});

test("at most so many are named, and long names cost little", () => {
  expect(nearest("aaa", ["aaa1", "aaa2", "aaa3"], 2)).toEqual(["aaa1", "aaa2"]);
  expect(nearest("x".repeat(1_000_000), ["y".repeat(1_000_000)])).toEqual([]);
});
