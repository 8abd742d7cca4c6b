import fc from "fast-check";
import { expect, test } from "vitest";
import { repeatedFields } from "./inspect-json.ts";

test("names fields that occur twice, with their place", () => {
  expect(repeatedFields('{"a":1,"b":{"c":[{"d":1},{"d":1,"e":"\\"}","d":2}]},"a":2,"a":3}')).toEqual([
    "b.c[1].d",
    "a",
  ]);
  expect(repeatedFields('{"a":"x,\\"a\\":1","\\u0061":2}')).toEqual(["a"]);
  expect(repeatedFields('{"labels":{"a":"a","b":"a"},"list":["a","a"]}')).toEqual([]);
});

test("finds none in what JSON.stringify has written", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => repeatedFields(JSON.stringify(value)).length === 0));
});

test("reads anything to its end, and refuses what is too deep", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      repeatedFields(text);
    }),
  );
  expect(() => repeatedFields("[".repeat(201))).toThrow("exceeded max depth of 200");
  expect(repeatedFields("[".repeat(200))).toEqual([]);
});
