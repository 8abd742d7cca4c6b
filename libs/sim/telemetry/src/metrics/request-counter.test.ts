import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestCounter, type DurationHistogram } from "./request-counter.ts";

const flow = fc.record({
  rate: fc.double({ min: 0, max: 1000, noNaN: true }),
  success: fc.double({ min: 0, max: 1, noNaN: true }),
  latency: fc
    .tuple(fc.double({ min: 0, max: 5000, noNaN: true }), fc.double({ min: 0, max: 5000, noNaN: true }))
    .map(([fixed, more]) => ({ fixed, mean: fixed + more })),
});

const numbersOf = ({ buckets, count, sum }: DurationHistogram): number[] => [
  ...buckets.map(([, upTo]) => upTo),
  count,
  sum,
];

test("no counter ever falls, and no bucket holds more than were counted", () => {
  fc.assert(
    fc.property(fc.array(flow, { minLength: 1, maxLength: 40 }), (flows) => {
      const counter = createRequestCounter({ keep: (state) => state });
      let before: number[] = [];
      for (const each of flows) {
        counter.add(each, 1);
        const { succeeded, failed } = counter.durations();
        const now = [...numbersOf(succeeded), ...numbersOf(failed), counter.total()];
        for (const [index, value] of before.entries()) expect(now[index]).toBeGreaterThanOrEqual(value);
        for (const { buckets, count } of [succeeded, failed])
          for (const [, upTo] of buckets) expect(upTo).toBeLessThanOrEqual(count);
        before = now;
      }
    }),
  );
});

test("counts whole requests by outcome, with the durations of each", () => {
  const counter = createRequestCounter({ keep: (state) => state });
  const latency = { fixed: 20, mean: 20 };
  for (let second = 0; second < 10; second++) counter.add({ rate: 10, success: 0.75, latency }, 1);
  const { succeeded, failed } = counter.durations();
  expect([succeeded.count, failed.count, counter.total()]).toEqual([75, 25, 100]);
  expect(new Map(succeeded.buckets).get(0.01)).toBe(0);
  expect(new Map(failed.buckets).get(0.025)).toBe(25);
  expect(succeeded.sum).toBeCloseTo(1.5);
});
