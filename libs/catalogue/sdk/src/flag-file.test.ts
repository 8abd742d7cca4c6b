import { expect, test } from "vitest";
import { flagsIn, haveSameFlags, withVariant } from "./flag-file.ts";

const file = (slow: object, more: object = {}): string =>
  JSON.stringify({
    flags: {
      fast: { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on" },
      slow: { state: "ENABLED", variants: { on: 10, off: 0 }, defaultVariant: "off", ...slow },
      ...more,
    },
  });

test("one flag gets another variant, and the rest of the text stays", () => {
  const text =
    '{\n  "flags": {\n    "a.b": {"variants": {"on": 1}, "defaultVariant" : "on"},\n    "axb": {"defaultVariant": "on"}\n  }\n}';
  expect(withVariant(text, "axb", "off")).toBe(
    text.replace('{"defaultVariant": "on"}', '{"defaultVariant": "off"}'),
  );
  expect(withVariant(text, "a.b", "off")).toBe(
    text.replace('"defaultVariant" : "on"', '"defaultVariant" : "off"'),
  );
  expect(withVariant(text, "other", "off")).toBe(text);
});

test("reads which flags are on, and none of another text", () => {
  expect(flagsIn(file({}))).toMatchObject({ fast: { isOn: true }, slow: { isOn: false, right: "off" } });
  expect([flagsIn("{"), flagsIn("[]"), flagsIn('{"flags": 1}')]).toEqual([{}, {}, {}]);
});

test.each<[what: string, other: string, same: boolean]>([
  ["disabled while it is off", file({ state: "DISABLED" }), true],
  ["disabled while it would be on", file({ state: "DISABLED", defaultVariant: "on" }), true],
  ["with an empty rule", file({ targeting: {} }), true],
  ["on", file({ defaultVariant: "on" }), false],
  ["on for some", file({ targeting: { fractional: [["on", 1]] } }), false],
  ["beside one more", file({}, { more: { state: "DISABLED", variants: {} } }), false],
  ["no flag any more", '{"flags": {}}', false],
  ["no JSON any more", "flags:", false],
])("a flag that is off and a flag %s", (_, other, same) => {
  expect(haveSameFlags(file({}), other)).toBe(same);
});

test("two texts that are no files of flags are not the same", () => {
  expect(haveSameFlags("a", "a")).toBe(false);
});
