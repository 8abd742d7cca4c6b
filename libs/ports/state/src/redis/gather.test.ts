import { expect, test, vi } from "vitest";
import { gather } from "./gather.ts";

test("does what is asked for within a moment at once, and answers all who asked", async () => {
  const work = vi.fn(async (_: readonly string[]) => undefined);
  await using gathered = gather({ withinMs: 5, most: 100, work });
  await Promise.all([gathered.add(["a"]), gathered.add([]), gathered.add(["b", "c"])]);
  expect(work.mock.calls).toEqual([[["a", "b", "c"]]]);
  await gathered.add(["d"]);
  expect(work.mock.calls.at(-1)).toEqual([["d"]]);
});

test("does not wait when there is enough", async () => {
  const work = vi.fn(async (_: readonly number[]) => undefined);
  await using gathered = gather({ withinMs: 60_000, most: 3, work });
  await gathered.add([1, 2, 3, 4]);
  expect(work).toHaveBeenCalledOnce();
});

test("a failure goes to those who asked, and not to later callers", async () => {
  const work = vi.fn(async (_: readonly string[]) => undefined);
  work.mockRejectedValueOnce(new Error("away"));
  await using gathered = gather({ withinMs: 1, most: 100, work });
  const both = await Promise.allSettled([gathered.add(["a"]), gathered.add(["b"])]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await gathered.add(["c"]);
});

test("disposing does what was asked for", async () => {
  const work = vi.fn(async (_: readonly string[]) => undefined);
  const gathered = gather({ withinMs: 60_000, most: 100, work });
  const asked = gathered.add(["a"]);
  await gathered[Symbol.asyncDispose]();
  await asked;
  expect(work).toHaveBeenCalledOnce();
});
