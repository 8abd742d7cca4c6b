import { atLeast, entryPlan } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { holdMs, shortestHoldMs } from "./hold-window.ts";

const deadlineMs = 300_000;
const confirmMs = 90_000;
const pollMs = 5_000;
const runs = 2_000;

interface System {
  /** Share of all requests that fail. */
  readonly failing: number;
  /** Of the users, a second. */
  readonly perSecond: number;
  /** Whether the judge sends its own on the way that fails. */
  readonly isAsked: boolean;
}

/** How often a system that misses its objective is called recovered, with windows of `hold(lost holds)`. */
function passes({ failing, perSecond, isAsked }: System, hold: (lost: number) => number): number {
  const rng = createRng("hold-window");
  const count = (of: number): number =>
    Array.from({ length: of }, () => rng.float() < failing).filter(Boolean).length;
  const isAnswered = (): boolean => !isAsked || count(entryPlan.size) <= entryPlan.mostBad;
  const isServed = (ms: number): boolean => {
    const requests = poisson((perSecond * ms) / 1000, () => rng.float());
    const failed = count(requests);
    return failed === 0 || atLeast(requests, 0.01, failed) >= 1e-3;
  };
  const verify = (): boolean => {
    for (let at = 0, lost = 0; at < deadlineMs; ) {
      if (!isAnswered()) {
        at += pollMs;
        continue;
      }
      const window = hold(lost);
      at += window;
      if (at <= deadlineMs + confirmMs + window - shortestHoldMs && isServed(window) && isAnswered())
        return true;
      lost++;
      at += pollMs;
    }
    return false;
  };
  return Array.from({ length: runs }, verify).filter(Boolean).length / runs;
}

function poisson(mean: number, uniform: () => number): number {
  const least = Math.exp(-mean);
  let product = uniform();
  let events = 0;
  for (; product > least; events++) product *= uniform();
  return events;
}

test("windows double with every hold that was lost, three times", () => {
  expect([0, 1, 2, 3, 4, 9].map(holdMs)).toEqual([20_000, 40_000, 80_000, 160_000, 160_000, 160_000]);
});

test("where the judge asks itself, half of the requests failing is never called recovered, however thin the traffic", () => {
  const thin = { failing: 0.5, perSecond: 0.1, isAsked: true };
  // 2 000 verifications of some 60 checks; each passes with 7e-7, and two must.
  expect(passes(thin, holdMs)).toBe(0);
});

test("by the users' requests alone it is seldom called so where there is one a second, and thin traffic shows nothing", () => {
  const failing = 0.5;
  expect(passes({ failing, perSecond: 1, isAsked: false }, holdMs)).toBeLessThan(0.01);
  const thin = { failing, perSecond: 0.1, isAsked: false };
  // Why the judge asks itself: two requests in a window are no evidence.
  expect(passes(thin, holdMs)).toBeGreaterThan(0.5);
});

test("windows that do not double give a failing system several times the chances", () => {
  const system = { failing: 0.3, perSecond: 1, isAsked: false };
  expect(passes(system, holdMs)).toBeLessThan(passes(system, () => shortestHoldMs) * 0.6);
});
