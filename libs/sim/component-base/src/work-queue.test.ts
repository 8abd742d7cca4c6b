import { silentLogger } from "@microremed/core";
import { createEventLoop } from "@microremed/sim-time";
import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

test("several changes of one key make one reconciliation, the earliest that was asked for", () => {
  using loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  const runs: string[] = [];
  const queue = createWorkQueue({ loop, log: silentLogger, name: "test" }, (key) =>
    runs.push(`${key} at ${loop.now()}`),
  );
  queue.addAfter("a", 500);
  queue.add("a");
  queue.add("a");
  queue.addAfter("b", 100);
  loop.advance(1000);
  expect(runs).toEqual(["a at 4", "b at 100"]);
});

test("what throws is tried again, each time twice as late, and from the start once it went well", () => {
  using loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  const runs: number[] = [];
  let broken = 3;
  const queue = createWorkQueue({ loop, log: silentLogger, name: "test", delayMs: 0 }, () => {
    runs.push(loop.now());
    if (broken-- > 0) throw new Error("not yet");
  });
  queue.add("a");
  loop.advance(1000);
  expect(runs).toEqual([0, 20, 60, 140]);
  broken = 1;
  queue.add("a");
  loop.advance(1000);
  expect(runs.slice(4)).toEqual([1000, 1020]);
});
