import { expect, test } from "vitest";
import { deepFrozen, oncePerFrozen } from "./frozen.ts";

test("freezes every part", () => {
  const value = deepFrozen({ list: [{ name: "a" }], nothing: null, text: "b" });
  expect(value).toEqual({ list: [{ name: "a" }], nothing: null, text: "b" });
  expect(() => value.list.push({ name: "c" })).toThrow(TypeError);
  expect(() => Object.assign(value.list[0] ?? {}, { name: "c" })).toThrow(TypeError);
});

test("computes once for what cannot change, and again for what can", () => {
  let computed = 0;
  const lengthOf = oncePerFrozen(({ list }: { list: number[] }) => {
    computed += 1;
    return list.length;
  });
  const open = { list: [1] };
  expect(lengthOf(open)).toBe(1);
  open.list.push(2);
  expect(lengthOf(open)).toBe(2);
  const closed = deepFrozen({ list: [1, 2, 3] });
  expect([lengthOf(closed), lengthOf(closed), lengthOf(deepFrozen({ list: [] }))]).toEqual([3, 3, 0]);
  expect(computed).toBe(4);
});
