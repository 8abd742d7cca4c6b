import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurn } from "./in-turn.ts";

test("never does more at once than it may, and keeps the order", async () => {
  let running = 0;
  let most = 0;
  const results = await inTurn([5, 1, 4, 2, 3, 0, 6], 3, async (item) => {
    most = Math.max(most, ++running);
    for (let i = 0; i < item; i++) await setImmediate();
    running--;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30, 0, 60]);
  expect(most).toBe(3);
});
