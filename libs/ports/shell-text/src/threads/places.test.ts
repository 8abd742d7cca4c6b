import { expect, test } from "vitest";
import { askedBy, inPlace, mostAtOnce } from "./places.ts";

const never = new AbortController().signal;

/** Scripts that run until they are let go. */
function held(program: string, count: number, signal = never) {
  const goes = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const ends = goes.map(({ promise }, i) =>
    inPlace(program, signal, () => {
      begun.push(i);
      return promise;
    }),
  );
  return { begun, ends, end: (i: number) => goes[i]?.resolve() };
}

test("scripts beyond the bound wait for one that ends, in their order", async () => {
  const { begun, ends, end } = held("a", mostAtOnce + 2);
  await Promise.resolve();
  expect(begun).toHaveLength(mostAtOnce);
  end(3);
  await ends[3];
  await expect.poll(() => begun.slice(mostAtOnce)).toEqual([mostAtOnce]);
  for (let i = 0; i < ends.length; i++) end(i);
  await Promise.all(ends);
  expect(begun).toHaveLength(mostAtOnce + 2);
});

test("a script that another one asks for does not wait, nor does one of another program", async () => {
  const { ends, end } = held("b", mostAtOnce);
  expect(await askedBy("b", () => inPlace("b", never, async () => "nested"))).toBe("nested");
  expect(await inPlace("c", never, async () => "other")).toBe("other");
  for (let i = 0; i < ends.length; i++) end(i);
  await Promise.all(ends);
});

test("who waits may be stopped, and takes no place", async () => {
  const { ends, end } = held("d", mostAtOnce);
  const stop = new AbortController();
  const late = inPlace("d", stop.signal, async () => "late");
  stop.abort(new Error("stopped"));
  await expect(late).rejects.toThrow("stopped");
  for (let i = 0; i < ends.length; i++) end(i);
  await Promise.all(ends);
  expect(await inPlace("d", never, async () => "next")).toBe("next");
});
