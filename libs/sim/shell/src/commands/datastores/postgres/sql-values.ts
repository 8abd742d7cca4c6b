/** A moment, ms since the epoch, and a time that passes, ms. */
export class Timestamp {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}
export class Interval {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

/** A value of a column or an expression; null: it has none. */
export type SqlValue = string | number | boolean | null | Timestamp | Interval | readonly number[];

/** An error as the server sends it. */
export class SqlError extends Error {}

const two = (count: number): string => String(Math.floor(count)).padStart(2, "0");

/** As psql prints it. */
export function textOf(value: SqlValue): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value instanceof Timestamp)
    return `${new Date(value.at).toISOString().replace("T", " ").replace("Z", "")}+00`;
  if (value instanceof Interval) {
    const seconds = value.ms / 1000;
    const clock = `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
    return `${clock}.${String(Math.floor(value.ms % 1000)).padStart(3, "0")}`;
  }
  return Array.isArray(value) ? `{${value.join(",")}}` : String(value);
}

/** What two values are compared by. */
export const rankOf = (value: SqlValue): number | string => {
  if (value instanceof Timestamp) return value.at;
  if (value instanceof Interval) return value.ms;
  if (typeof value === "number") return value;
  return textOf(value);
};
