import type { Rng } from "@microremed/core";
import type { Recipe } from "./dataset.types.ts";

/** What is drawn of the times of a case, before it is known what is wrong in it. */
export interface DrawnTimes {
  /** Cluster time at which the case's cluster starts, ms since the epoch. */
  readonly startAt: number;
  /** From the beginning of the window to the first fault, or to the moment that is in its place, ms. */
  readonly beforeMs: number;
  /** From the end of the history to that moment where nothing is injected, ms. */
  readonly lateMs: number;
}

const firstDay = Date.parse("2026-01-01T00:00:00Z");
const days = 365;
const dayMs = 86_400_000;
/** About as long as faults take to act. */
const mostLateMs = 30_000;

/**
 * The times of a case. They are drawn from its seed alone, with a fault and without: the year's moment at which the cluster
 * starts, and where the first fault is in the window, evenly within half of the shorter stretch either way. So neither a time
 * nor the distance between two times says whether anything is wrong, or what.
 */
export function drawTimes(recipe: Stretches, rng: Rng): DrawnTimes {
  const { least, most } = stretchBefore(recipe);
  return {
    startAt: firstDay + rng.int(days) * dayMs + rng.int(dayMs),
    beforeMs: least * 1000 + rng.int((most - least) * 1000),
    lateMs: rng.int(mostLateMs),
  };
}

type Stretches = Pick<Recipe, "beforeSeconds" | "afterSeconds">;

/** The shortest and the longest stretch before the first fault, s. */
export function stretchBefore({ beforeSeconds, afterSeconds }: Stretches): { least: number; most: number } {
  const either = Math.min(beforeSeconds, afterSeconds) / 2;
  return { least: beforeSeconds - either, most: beforeSeconds + either };
}
