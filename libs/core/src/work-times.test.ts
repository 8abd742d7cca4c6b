import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { accountWork, asRequest, asWait } from "./work-times.ts";

const request = asRequest((ms: number) => delay(ms));
const wait = asWait((ms: number) => delay(ms));

test("requests at once count once as time, and waits only where nothing is asked", async () => {
  await accountWork(async (times) => {
    const began = performance.now();
    await Promise.all([request(30), request(30), wait(60)]);
    await wait(30);
    const { requests, requestMs, waitMs } = times();
    const took = performance.now() - began;
    expect(requests).toBe(2);
    expect(requestMs).toBeGreaterThanOrEqual(29);
    expect(waitMs).toBeGreaterThanOrEqual(30);
    expect(requestMs + waitMs).toBeLessThanOrEqual(took + 1);
  });
});

test("a call that fails has been a request, and calls of other work are not this one's", async () => {
  const failing = asRequest(async () => {
    throw new Error("no");
  });
  await request(1);
  await Promise.all([
    accountWork(async (times) => {
      await expect(failing()).rejects.toThrow("no");
      await delay(5);
      expect(times()).toMatchObject({ requests: 1, waitMs: 0 });
    }),
    accountWork(async (times) => {
      await wait(5);
      expect(times()).toMatchObject({ requests: 0, requestMs: 0 });
    }),
  ]);
});
