import { expect, test } from "vitest";
import { answerLines } from "./answer-lines.ts";

const lines = Array.from({ length: 100 }, (_, number) => `line ${number}`);
const shape = { head: "head", lines, max: 200, narrow: "ask for less" };

test("what fits is whole", () => {
  expect(answerLines({ ...shape, max: 10_000 })).toBe(["head", ...lines].join("\n"));
});

test.each([
  ["first", "line 0", 1, -1],
  ["last", "line 99", -1, 1],
] as const)(
  "of too many lines the %s stay, and the answer says how many are missing",
  (keep, kept, place, note) => {
    const answer = answerLines({ ...shape, keep });
    const found = answer.split("\n");
    expect(answer.length).toBeLessThanOrEqual(shape.max);
    expect(found[0]).toBe("head");
    expect(found.at(place)).toBe(kept);
    const left = 100 - (found.length - 2);
    expect(found.at(note)).toBe(`[${left} of 100 left out: ask for less]`);
  },
);

test("what the caller has left out counts too", () => {
  expect(answerLines({ ...shape, lines: ["one"], of: 3 })).toMatch(/one\n\[2 of 3 left out/);
});
