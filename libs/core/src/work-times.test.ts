import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountWork, asRequest, asWait } from "./work-times.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const request = asRequest(pause);
const wait = asWait(pause);

/** What it gives, when its timers have rung. */
async function played<T>(work: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync();
  return work;
}

test("requests at once count once as time, and waits only where nothing is asked", async () => {
  const times = await played(
    accountWork(async (now) => {
      await Promise.all([request(30), request(30), wait(60)]);
      await wait(40);
      await pause(500);
      return now();
    }),
  );
  expect(times).toEqual({ requests: 2, requestMs: 30, waitMs: 30 + 40 });
});

test("a request in the middle of a wait, and a wait in the middle of a request", async () => {
  const times = await played(
    accountWork(async (now) => {
      await Promise.all([wait(50), pause(20).then(() => request(10))]);
      await Promise.all([request(50), pause(20).then(() => wait(10))]);
      return now();
    }),
  );
  expect(times).toEqual({ requests: 2, requestMs: 10 + 50, waitMs: 20 + 20 });
});

test("a call that fails has been a request, and calls of other work are not this one's", async () => {
  const failing = asRequest(async () => {
    await pause(3);
    throw new Error("no");
  });
  const [asking, waiting] = await played(
    Promise.all([
      accountWork(async (now) => {
        await expect(failing()).rejects.toThrow("no");
        await pause(5);
        return now();
      }),
      accountWork(async (now) => {
        await wait(7);
        return now();
      }),
      request(100),
    ]),
  );
  expect(asking).toEqual({ requests: 1, requestMs: 3, waitMs: 0 });
  expect(waiting).toEqual({ requests: 0, requestMs: 0, waitMs: 7 });
});

test("what is under way counts up to now", async () => {
  const times = await played(
    accountWork(async (now) => {
      const asked = request(40);
      await pause(10);
      const meanwhile = now();
      await asked;
      return meanwhile;
    }),
  );
  expect(times).toEqual({ requests: 1, requestMs: 10, waitMs: 0 });
});
