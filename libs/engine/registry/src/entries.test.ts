import { expect, test } from "vitest";
import { createLateEntries } from "./entries.ts";

test("an entry that is read late is read when it is asked for, and no other with it", () => {
  const read: string[] = [];
  const reader = (name: string) => () => {
    read.push(name);
    return { name };
  };
  const entries = createLateEntries(
    "suites",
    new Map(["b@1", "a@1", "c@1"].map((name) => [name, reader(name)])),
  );
  expect(entries.names).toEqual(["a@1", "b@1", "c@1"]);
  expect([entries.has("b@1"), entries.has("d@1")]).toEqual([true, false]);
  expect(read).toEqual([]);
  expect(entries.get("b@1")).toEqual({ name: "b@1" });
  expect(read).toEqual(["b@1"]);
  expect(() => entries.get("d@1")).toThrow(/there is no suite "d@1"/);
  expect(read).toEqual(["b@1"]);
  expect(entries.all().map(({ name }) => name)).toEqual(["a@1", "b@1", "c@1"]);
});
