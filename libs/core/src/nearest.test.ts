import { expect, test } from "vitest";
import { likelyNames, nearest } from "./nearest.ts";

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

test("a message has the likely names, else as many of the known ones as can be read", () => {
  expect(likelyNames("esay@1", names)).toBe('did you mean "easy@1"?');
  expect(likelyNames("quite other", names.slice(0, 2))).toBe('known: "easy@1" or "hard@1"');
  const many = Array.from({ length: 92 }, (_, i) => `fault-${i}`);
  expect(likelyNames("quite other", many)).toMatch(/^known: "fault-0", .*"fault-19" and 72 more$/);
  expect(likelyNames("range", ["range@1", "range@2", "easy@1"])).toBe(
    'say which version: "range@1" or "range@2"',
  );
  expect(likelyNames("any", [])).toBe("there is none");
});
