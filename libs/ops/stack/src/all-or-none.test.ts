import { expect, test } from "vitest";
import { allOrNone } from "./all-or-none.ts";

const failing = (): Promise<string> => Promise.reject(new Error("the first failure"));

test("gives what all parts give", async () => {
  expect(await allOrNone(undefined, () => [Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
});

test("a part that fails aborts the others, and is thrown when they have ended", async () => {
  const ended: string[] = [];
  const startsUntilAborted = (signal: AbortSignal): Promise<string> =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        ended.push("the other part");
        reject(new Error("stopped"));
      }),
    );
  const all = allOrNone(undefined, (signal) => [startsUntilAborted(signal), failing()]);
  await expect(all).rejects.toThrow("the first failure");
  expect(ended).toEqual(["the other part"]);
});

test("a part that cannot be aborted is waited for, so that it is not left running", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const seen: string[] = [];
  const all = allOrNone(undefined, () => [promise, failing()]).catch((error: Error) =>
    seen.push(error.message),
  );
  await new Promise((done) => setImmediate(done));
  expect(seen).toEqual([]);
  resolve("started");
  await all;
  expect(seen).toEqual(["the first failure"]);
});

test("what aborts from outside aborts all parts", async () => {
  const outer = new AbortController();
  const all = allOrNone(outer.signal, (signal) => [
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  ]);
  outer.abort(new Error("stopped from outside"));
  await expect(all).rejects.toThrow("stopped from outside");
});
