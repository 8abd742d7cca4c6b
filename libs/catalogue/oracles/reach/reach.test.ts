import { type ReachPath, reachPaths, reachText } from "@microremed/catalogue";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { judgeReach, reachSymptom } from "./index.ts";

const way = (from: string | null, host: string): ReachPath => ({ from, host, port: 80, how: "http" });
const toCart = way("web", "cart");
const service = way(null, "cart");
const toDb = way("cart", "db");
const ways = [toCart, service, toDb];
const at = 1;

test("passes when nearly all are answered on every way, and says from where it asked", () => {
  const verdict = judgeReach(
    ways,
    ways.map((path) => ({ path, answered: 30 })),
    at,
  );
  expect(verdict).toMatchObject({ passed: true });
  expect(verdict.reason).toBe(
    "requests of the verifier were answered on 2 paths from callers and 1 path from the prober",
  );
  expect(verdict.measurements).toHaveLength(3);
});

test("names the ways on which requests are lost, and those on which none could be sent", () => {
  const verdict = judgeReach(
    ways,
    [
      { path: toCart, answered: 29 },
      { path: service, answered: 33 },
      { path: toDb, answered: null },
    ],
    at,
  );
  expect(verdict).toMatchObject({
    passed: false,
    reason: "web -> cart:80 answered 29 of 33; cart -> db:80 could not be asked",
  });
});

test("says which were not tried", () => {
  expect(judgeReach(ways, [{ path: way(null, "cart"), answered: 33 }], at).reason).toMatch(
    /not tried: db:80$/,
  );
});

test("goes from the callers to the target, on to what it calls, and to the Services of all of them", () => {
  const paths = reachPaths(environments.get("online-boutique"), "cartservice").map(reachText);
  expect(paths).toEqual(
    expect.arrayContaining([
      "frontend -> cartservice:7070",
      "checkoutservice -> cartservice:7070",
      "cartservice -> redis-cart:6379",
      "prober -> cartservice:7070",
      "prober -> frontend:80",
    ]),
  );
  const trainTicket = environments.get("train-ticket");
  for (const target of trainTicket.targets) {
    const found = reachPaths(trainTicket, target);
    expect(found.length, target).toBeGreaterThan(0);
    expect(found.length, target).toBeLessThanOrEqual(40);
  }
});

test("a way shows a fault when a fifth of its requests gets no answer; one that could not be asked shows none", () => {
  const shows = (answered: number | null) => reachSymptom([{ path: toCart, answered }], at).shows;
  expect([33, 27, 26, 0, null].map(shows)).toEqual([false, false, true, true, false]);
  expect(reachSymptom([{ path: toCart, answered: 2 }], at).reason).toBe("web -> cart:80 answered 2 of 33");
});
