import { z } from "zod";

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A length of time as tools take it, such as `90s`, `15m` or `2h`; at most a day. Read, it is a number of seconds. */
export const Duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[smh]$/, "a length of time such as 90s, 15m or 2h")
  .refine((text) => secondsOf(text) <= 86_400, "longer than a day");

/** Seconds of a duration that fits `Duration`. */
export function secondsOf(duration: string): number {
  return Number(duration.slice(0, -1)) * (unitSeconds[duration.slice(-1)] ?? 1);
}

/** A moment of cluster time (ms since the epoch) as tools print it: `10:04:30` (UTC). */
export const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 19);
