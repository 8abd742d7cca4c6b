import { expect, test } from "vitest";
import { condition, difference, fillShape, including } from "./match.ts";

test("compares only the named fields", () => {
  expect(difference({ a: 1, b: 2 }, { a: 1 })).toBeUndefined();
  expect(difference({ a: { b: "x" } }, { a: { b: /^y/ } })).toBe("a.b is x, expected /^y/");
  expect(difference({ a: 1 }, { a: undefined })).toBe("a is 1, expected nothing");
  expect(difference(undefined, { a: 1 })).toBe("the value is nothing, expected an object");
});

test("wants lists of the same length, unless one element is enough", () => {
  expect(difference([1, 2], [1])).toBe("the value has 2 elements: [1,2], expected 1");
  expect(difference({ list: [{ a: 1 }, { a: 2 }] }, { list: including({ a: 2 }) })).toBeUndefined();
  const status = { conditions: [{ type: "Ready", status: "True" }] };
  expect(difference({ status }, condition("Ready", "True"))).toBeUndefined();
  expect(difference({ status }, condition("Ready", "False"))).toMatch(/^status\.conditions is/);
});

test("fills text and patterns", () => {
  const fill = (text: string): string => text.replaceAll("$NS", "shop");
  expect(fillShape({ a: ["$NS"], b: /^\$NS$/ }, fill)).toEqual({ a: ["shop"], b: /^shop$/ });
});
