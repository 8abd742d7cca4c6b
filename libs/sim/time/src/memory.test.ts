import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemory } from "./memory.ts";

const fields = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 3 }).filter((name) => name !== "__proto__"),
  fc.anything(),
);
const items = fc.array(fc.anything(), { maxLength: 5 });

/** Makes an object into another one in place. */
function become(state: object, other: object): void {
  for (const name of Object.keys(state)) Reflect.deleteProperty(state, name);
  for (const [name, value] of Object.entries(other)) Reflect.set(state, name, value);
}

test("whatever is kept goes back to what it was, in the same objects and in the same order, any number of times", () => {
  fc.assert(
    fc.property(fields, fields, items, items, (before, after, first, second) => {
      const memory = createMemory();
      const object = memory.keep({ ...before });
      const array = memory.keep([...first]);
      const set = memory.keep(new Set(first));
      const map = memory.keep(new Map(first.map((value, key) => [key, value])));
      const contents = () => [{ ...object }, [...array], [...set], [...map]];
      const was = contents();
      const goBack = memory.save();
      for (let times = 0; times < 2; times++) {
        become(object, after);
        array.splice(0, array.length, ...second);
        set.clear();
        for (const item of second) set.add(item);
        map.clear();
        for (const [key, value] of second.entries()) map.set(key + 1, value);
        goBack();
        expect(contents()).toEqual(was);
      }
    }),
  );
});

test("names that every object inherits are fields like others", () => {
  const memory = createMemory();
  const state: Record<string, unknown> = memory.keep({ a: 1 });
  const goBack = memory.save();
  state["toString"] = "b";
  goBack();
  expect(Object.keys(state)).toEqual(["a"]);
});

test("what is kept after a save is not in it, and moments do not mix", () => {
  const memory = createMemory();
  const one = memory.keep({ value: 1 });
  const first = memory.save();
  const two = memory.keep({ value: 1 });
  one.value = two.value = 2;
  const second = memory.save();
  one.value = two.value = 3;
  first();
  expect([one.value, two.value]).toEqual([1, 3]);
  second();
  expect([one.value, two.value]).toEqual([2, 2]);
});

test("what was made after a moment is no part of saves after going back to it, even while a reference remains", () => {
  const memory = createMemory();
  const early = memory.keep({ value: 1 });
  const goBack = memory.save();
  const late = memory.keep({ value: 1 });
  goBack();
  const again = memory.save();
  early.value = 2;
  late.value = 2;
  again();
  expect([early.value, late.value]).toEqual([1, 2]);
});
