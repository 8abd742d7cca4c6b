import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { createEventLoop } from "./event-loop.ts";

const aLoop = (log = silentLogger) => createEventLoop({ startAt: 1000, timeScale: 60, log });

test("runs what is due in order of time, and of scheduling at the same time", () => {
  const loop = aLoop();
  const ran: string[] = [];
  for (const [delay, name] of [
    [30, "c"],
    [10, "a"],
    [10, "b"],
    [99, "never"],
  ] as const) {
    loop.after(delay, name, () => ran.push(`${name}@${loop.now()}`));
  }
  loop.advance(50);
  expect(ran).toEqual(["a@1010", "b@1010", "c@1030"]);
  expect(loop.now()).toBe(1050);
});

test("runs in the same step what a task schedules within it", () => {
  const loop = aLoop();
  const ran: number[] = [];
  loop.after(10, "outer", () => loop.after(5, "inner", () => ran.push(loop.now())));
  loop.advance(20);
  expect(ran).toEqual([1015]);
});

test("stops what is cancelled, once or every time", () => {
  const loop = aLoop();
  let ticks = 0;
  const stop = loop.every(10, "tick", () => {
    ticks += 1;
    if (ticks === 3) stop();
  });
  loop.after(5, "cancelled", () => expect.unreachable())();
  loop.advance(100);
  expect(ticks).toBe(3);
});

test("goes on after a task has thrown, and reports it", () => {
  const errors: object[] = [];
  const loop = aLoop({ ...silentLogger, error: (fields) => errors.push(fields) });
  let ran = false;
  loop.after(1, "bad", () => {
    throw new Error("boom");
  });
  loop.after(2, "good", () => {
    ran = true;
  });
  loop.advance(5);
  expect(ran).toBe(true);
  expect(errors).toMatchObject([{ task: "bad" }]);
});

test("pops in the same order whatever the order of pushing many random times", () => {
  const loop = aLoop();
  const seen: number[] = [];
  for (let i = 0; i < 2000; i += 1) loop.after((i * 7919) % 997, "n", () => seen.push(loop.now()));
  loop.advance(1000);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen).toHaveLength(2000);
});

test("rejects a sleep with the signal's reason", async () => {
  const loop = aLoop();
  const abort = new AbortController();
  const slept = loop.sleep(1000, abort.signal);
  abort.abort(new Error("enough"));
  await expect(slept).rejects.toThrow("enough");
});

test("runs at its time scale while it is held and at 1 otherwise", async () => {
  using loop = aLoop();
  const wall = performance.now();
  loop.start();
  const began = loop.now();
  await new Promise((resolve) => setTimeout(resolve, 30));
  // A step of cluster time at most ahead of the wall clock, however busy the machine is.
  expect(loop.now() - began).toBeLessThanOrEqual(performance.now() - wall + 100);
  const release = loop.hold();
  await loop.sleep(3000);
  expect(loop.now() - began).toBeGreaterThanOrEqual(3000);
  release();
  release();
  expect(loop.holders).toBe(0);
});

test("lags instead of bursting when tasks are slow, and lets Node run in between", async () => {
  using loop = aLoop();
  loop.every(100, "slow", () => {
    const until = performance.now() + 4;
    while (performance.now() < until);
  });
  loop.start();
  loop.hold();
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  await loop.sleep(3000);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(5);
});
