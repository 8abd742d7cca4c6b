import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";

test("results come in their order, with at most so many under way", async () => {
  const resolvers: ((value: number) => void)[] = [];
  let most = 0;
  let underWay = 0;
  const make = async (index: number): Promise<number> => {
    most = Math.max(most, ++underWay);
    const { promise, resolve } = Promise.withResolvers<number>();
    resolvers.push(resolve);
    // The later of two is there first.
    if (index % 2 === 1) for (const each of resolvers.splice(0).reverse()) each(index);
    await promise;
    underWay--;
    return index;
  };
  const seen: number[] = [];
  for await (const one of inOrder(make, 2)) {
    seen.push(one);
    if (seen.length === 6) break;
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("what fails is thrown in its place, and what is no longer waited for is not", async () => {
  const seen: number[] = [];
  const make = async (index: number): Promise<number> => {
    if (index >= 2) throw new Error(`no ${index}`);
    return index;
  };
  await expect(async () => {
    for await (const one of inOrder(make, 3)) seen.push(one);
  }).rejects.toThrow("no 2");
  expect(seen).toEqual([0, 1]);
});
