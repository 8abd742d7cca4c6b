import { expect, test } from "vitest";
import { z } from "zod";
import { wrongValues } from "./wrong-values.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "a text; it is missing"],
  [z.string(), 5, "a text"],
  [z.string().min(1), "", "a text of at least 1 character"],
  [z.number().positive(), 0, "a number of more than 0"],
  [z.int().max(3), 4, "a number of at most 3"],
  [z.int(), 1.5, "a whole number"],
  [z.array(z.string()).min(2), [], "a list of at least 2 items"],
  [z.record(z.string(), z.string()), [], "an object"],
  [z.enum(["read", "none"]), "all", '"read" or "none"'],
  [z.union([z.string(), z.int()]), {}, "a text, or a number"],
  [z.string().regex(/^[a-z]+$/), "A", "a text that matches /^[a-z]+$/"],
  [z.string().regex(/^[a-z]+$/, "small letters"), "A", "small letters"],
  [z.custom(() => false, "a function"), 1, "a function"],
  [z.custom(() => false), 1, "another value"],
  [z.tuple([z.number(), z.number()]), 1, "a list"],
  [z.tuple([z.number(), z.number()]), [1], "a list of at least 2 items"],
  [z.array(z.number()).length(2), [1], "a list of exactly 2 items"],
  [z.string().startsWith("/"), "a", 'a text that begins with "/"'],
  [z.string().endsWith("/"), "a", 'a text that ends with "/"'],
  [z.string().includes("/"), "a", 'a text that has "/" in it'],
  [z.url(), "a", "a text that is a URL"],
  [z.iso.datetime(), "a", "a text that is a date and a time, such as 2026-01-31T12:00:00Z"],
  [z.number().multipleOf(5), 4, "a multiple of 5"],
  [z.never(), 4, "another value"],
  [z.undefined(), 4, "another value"],
  [z.nan(), 4, "a number"],
  [z.record(z.string().regex(/^[a-z]+$/, "small letters"), z.int()), { A: 1 }, "another key: small letters"],
])("says what was expected: %#", (schema, value, expected) => {
  const { error } = schema.safeParse(value);
  expect(error && wrongValues(error).map((one) => one.expected)).toEqual([expected]);
});

test("of options the one is meant of which a part alone is wrong", () => {
  const pause = z.strictObject({ pause: z.union([z.number(), z.tuple([z.number(), z.number().max(9)])]) });
  const wrong = (value: unknown) => {
    const { error } = pause.safeParse({ pause: value });
    return error && wrongValues(error);
  };
  expect(wrong([1, 10])).toEqual([{ field: "pause[1]", expected: "a number of at most 9" }]);
  expect(wrong("a")).toEqual([{ field: "pause", expected: "a number, or a list" }]);
});

test("names every place, and fields that there are not", () => {
  const schema = z.strictObject({
    kind: z.strictObject({ list: z.array(z.string()) }),
    probe: z.discriminatedUnion("type", [z.object({ type: z.literal("tcp") })]),
  });
  const { error } = schema.safeParse({ kind: { list: ["", 1] }, probe: { type: "udp" }, colour: "red" });
  expect(error && wrongValues(error)).toEqual([
    { field: "kind.list[1]", expected: "a text" },
    { field: "probe.type", expected: '"tcp"' },
    { field: "colour", expected: "no field of this name" },
  ]);
});

const schema = z.strictObject({
  kind: z.strictObject({ size: z.number().max(3) }).optional(),
  probe: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("tcp"), port: z.int() }),
      z.strictObject({ type: z.literal("http"), path: z.string() }),
    ])
    .optional(),
  tags: z.array(z.string()).min(3).optional(),
  each: z.record(z.string(), z.strictObject({ share: z.number() })).optional(),
  mode: z.enum(["faster", "slow"]).optional(),
});

test.each<[unknown, string, string]>([
  [{ kind: { size: 7 } }, "kind.size", "a number of at most 3, not 7"],
  [{ tags: "a" }, "tags", 'a list, not "a"'],
  [{ tags: { a: 1 } }, "tags", "a list"],
  [{ kind: { siez: 1, size: 1 } }, "kind.siez", 'no field of this name; did you mean "size"?'],
  [
    { probe: { type: "http", path: "/", pathe: "" } },
    "probe.pathe",
    'no field of this name; did you mean "path"?',
  ],
  [{ probe: { type: "tcp", port: 1, zzzz: 2 } }, "probe.zzzz", "no field of this name; there are type, port"],
  [{ each: { a: { share: 1, shares: 2 } } }, "each.a.shares", 'no field of this name; did you mean "share"?'],
  [{ each: { a: { shares: 1 } } }, "each.a.shares", 'no field of this name; did you mean "share"?'],
  [{ kind: 2 }, "kind", "an object, not 2; its fields are size"],
  [{ mode: "fast" }, "mode", '"faster" or "slow", not "fast"; did you mean "faster"?'],
  [{ tags: ["x".repeat(100), 5, "c"] }, "tags[1]", "a text, not 5; put it in quotes"],
])("repeats what is there, and names fields like a wrong one: %#", (value, field, expected) => {
  const { error } = schema.safeParse(value);
  expect(error && wrongValues(error, value, schema)).toEqual([{ field, expected }]);
});

test("a long value is repeated in part", () => {
  const { error } = z.number().safeParse("x".repeat(1000));
  expect(error && wrongValues(error, "x".repeat(1000))[0]?.expected).toMatch(/^a number, not "x{59}\.\.\.$/);
});
