import { clipMiddle } from "./text.ts";

/** A value of JSON whose texts each have `max` characters at most: of longer ones the middle is left out, and it says so. */
export function clipTexts<T>(value: T, max: number): T {
  return clipped(value, max) as T;
}

function clipped(value: unknown, max: number): unknown {
  if (typeof value === "string") return clipMiddle(value, max);
  if (Array.isArray(value)) return value.map((one) => clipped(one, max));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clipped(one, max)]));
}
