import { StatusError } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { jsonPatch } from "./json-patch.ts";

const refused = (operations: unknown): StatusError => {
  try {
    jsonPatch({ data: { k: "v".repeat(1_000) } }, operations);
  } catch (error) {
    if (error instanceof StatusError) return error;
  }
  throw new Error("it was not refused");
};

test("copies that double an object again and again are refused", () => {
  const copies = Array.from({ length: 40 }, (_, index) => ({
    op: "copy",
    from: "/data",
    path: `/data/copy-${index}`,
  }));
  const { code, message } = refused(copies);
  expect([code, message]).toEqual([
    422,
    expect.stringMatching(/size increase of JSON Patch copy operations is \d+, exceeding the limit 3145728/),
  ]);
});

test("a patch is applied in its order, to a copy", () => {
  const before = { data: { a: "1" }, list: [1, 2] };
  const after = jsonPatch(before, [
    { op: "copy", from: "/data/a", path: "/data/b" },
    { op: "replace", path: "/data/a", value: "2" },
    { op: "test", path: "/data/b", value: "1" },
    { op: "move", from: "/list/0", path: "/list/1" },
    { op: "copy", from: "/data", path: "/more" },
  ]);
  expect(after).toEqual({ data: { a: "2", b: "1" }, list: [2, 1], more: { a: "2", b: "1" } });
  expect(before).toEqual({ data: { a: "1" }, list: [1, 2] });
});

test.each([
  [{ op: "copy", from: "/nosuch/a", path: "/data/b" }],
  [{ op: "copy", path: "/data/b" }],
  [{ op: "add", path: "/__proto__/polluted", value: true }],
  [null],
])("what cannot be applied is refused: %j", (operation) => {
  expect(refused([operation]).code).toBe(422);
  expect({}).not.toHaveProperty("polluted");
});
