import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { createEventLoop } from "./event-loop.ts";
import { createSteppedClock } from "./stepped-clock.ts";

/** A loop on which something happens every second, and what an onlooker knows of it. */
function aCluster(isComputing = () => false) {
  const loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  let version = 0;
  const clock = createSteppedClock({ loop, version: () => version, isComputing });
  loop.every(1000, "something happens", () => {
    version += 1;
  });
  return { loop, clock, version: () => version };
}

test("time does not advance while no caller sleeps, and jumps to the end of a sleep", async () => {
  const { loop, clock, version } = aCluster();
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(loop.now()).toBe(0);
  await clock.sleep(60_000);
  expect([loop.now(), version()]).toEqual([60_000, 60]);
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(loop.now()).toBe(60_000);
});

test("who sees something happen reacts before anything else does", async () => {
  const { loop, clock, version } = aCluster();
  const stop = new AbortController();
  const sleeping = clock.sleep(3_600_000, stop.signal);
  while (version() < 5) await turn();
  stop.abort(new Error("seen enough"));
  await expect(sleeping).rejects.toThrow("seen enough");
  expect(loop.now()).toBe(5000);
});

test("sleepers wake in the order of their times, whichever began first", async () => {
  const { loop, clock } = aCluster();
  const woke: string[] = [];
  const sleep = async (ms: number): Promise<void> => {
    await clock.sleep(ms);
    woke.push(`${ms}@${loop.now()}`);
  };
  await Promise.all([sleep(2500), sleep(500), sleep(1500)]);
  expect(woke).toEqual(["500@500", "1500@1500", "2500@2500"]);
});

test("time waits for what computes in the cluster", async () => {
  let computing = true;
  const { loop, clock } = aCluster(() => computing);
  const sleeping = clock.sleep(1000);
  for (let turns = 0; turns < 1000; turns++) await turn();
  expect(loop.now()).toBe(0);
  computing = false;
  await sleeping;
  expect(loop.now()).toBe(1000);
});

test("a clock that was let go of moves nothing any more", async () => {
  const { loop, clock } = aCluster();
  clock[Symbol.dispose]();
  void clock.sleep(1000).catch(() => {});
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(loop.now()).toBe(0);
});

test("where the time gives the process its turn does not depend on how fast the machine is", async () => {
  const turnsAt = async (busyMs: number): Promise<number[]> => {
    const loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
    using clock = createSteppedClock({ loop, version: () => 0, isComputing: () => false });
    loop.every(1000, "something is computed", () => {
      for (const until = performance.now() + busyMs; performance.now() < until; );
    });
    const seen = new Set<number>();
    const sleeping = clock.sleep(600_000).then(() => true);
    while (!(await Promise.race([sleeping, turn(false)]))) seen.add(loop.now());
    return [...seen];
  };
  const [fast, slow] = [await turnsAt(0), await turnsAt(0.3)];
  expect(slow).toEqual(fast);
  expect(fast.length).toBeGreaterThan(2);
});

const turns = async (): Promise<void> => {
  for (let left = 20; left > 0; left--) await turn();
};

test("a script that sleeps in a container is no caller; a request that waits for the cluster is one", async () => {
  const { loop, clock } = aCluster();
  void loop.sleep(5000).catch(() => {});
  await turns();
  expect(loop.now()).toBe(0);
  await clock.during(() => loop.sleep(2000));
  expect(loop.now()).toBe(2000);
  await turns();
  expect(loop.now()).toBe(2000);
});

test("a wall clock drives the time while no caller waits, and while the time is held", async () => {
  let wall = 0;
  const loop = createEventLoop({ startAt: 0, timeScale: 10, log: silentLogger, wallNow: () => wall });
  using clock = createSteppedClock({ loop, version: () => 0, isComputing: () => false });
  loop.start();
  wall += 100;
  expect(loop.now()).toBe(100);
  await clock.sleep(60_000);
  expect(loop.now()).toBe(60_100);
  await turns();
  wall += 100;
  expect(loop.now()).toBe(60_200);

  const release = loop.hold();
  const sleeping = clock.sleep(5000);
  await turns();
  expect(loop.now()).toBe(60_200);
  wall += 100;
  expect(loop.now()).toBe(61_200);
  release();
  await sleeping;
  expect(loop.now()).toBe(65_200);
  loop.stop();
});

test("a request whose caller has gone makes no time run, even if it never ends", async () => {
  const { loop, clock } = aCluster();
  const gone = new AbortController();
  const never = new Promise<void>(() => {});
  void clock.during(() => never, gone.signal);
  void clock.during(() => never, AbortSignal.abort());
  gone.abort();
  const script = new AbortController();
  const sleeping = loop.sleep(60_000, script.signal).catch(() => {});
  for (let turns = 0; turns < 100; turns++) await turn();
  expect(loop.now()).toBe(0);
  script.abort();
  await sleeping;

  const waited = clock.during(() => loop.sleep(60_000), new AbortController().signal);
  await waited;
  expect(loop.now()).toBe(60_000);
});
