import { answerLines, clockTime } from "@microremed/catalogue";
import type { Row, Series } from "./series.ts";

const units: Readonly<Record<string, string>> = {
  cpu: "cores",
  memory: "MiB",
  requests: "requests/s",
  errors: "share of requests",
  latency: "ms, mean",
  latency_p95: "ms, 95th percentile",
};

interface Shape {
  readonly metric: string;
  readonly per: string;
  readonly top: number;
  readonly max: number;
}

const size = (value: number): string => `${Number(value.toPrecision(3))}`;
const cell = (value: number | null): string => (value === null ? "-" : size(value));
const nowOf = ({ values }: Row): number | null => values.at(-1) ?? null;
const title = ({ metric, per }: Shape): string => `${metric} (${units[metric]}) per ${per}`;
const narrow = "raise `top`, name one in `of`, or take a longer `step`";
const unread = (left: number): string =>
  left > 0 ? `; ${left} more are not ranked: name one in \`of\`` : "";
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** A line for each row, highest first, by the last moment; what has no value then comes last: `cart: 0.1 0.2 -`. */
export function seriesText({ at, rows, left }: Series, shape: Shape & { readonly step: number }): string {
  const ranked = [...rows].sort((a, b) => (nowOf(b) ?? -1) - (nowOf(a) ?? -1) || byName(a, b));
  const [first = 0, second, last = first] = [at[0], at[1], at.at(-1)];
  const step = second === undefined ? shape.step : Math.round((second - first) / 1000);
  const head = `${title(shape)}, every ${step} s from ${clockTime(first)} to ${clockTime(last)}; highest now first${unread(left)}`;
  const lines = ranked
    .slice(0, shape.top)
    .map(({ name, values }) => `${name}: ${values.map(cell).join(" ")}`);
  return answerLines({ head, lines, of: rows.length, max: shape.max, narrow });
}

/** A line for each row, greatest change first: `cart: 0.5, before 0.1 (x5)`. */
export function comparisonText(
  now: Series,
  before: Series,
  shape: Shape & { readonly since: string; readonly compare: string },
): string {
  const [current, earlier] = [now, before].map(
    ({ rows }) => new Map(rows.map((row) => [row.name, nowOf(row)])),
  );
  const names = [...new Set([...(current?.keys() ?? []), ...(earlier?.keys() ?? [])])];
  const changes = names.map((name) => {
    const [is = null, was = null] = [current?.get(name), earlier?.get(name)];
    const isGone = shape.per === "pod" && !current?.has(name);
    return { name, is, was, change: isGone ? -1 : changeOf(is, was) };
  });
  const ranked = changes.sort((a, b) => b.change - a.change || byName(a, b));
  const head = `${title(shape)}, of the last ${shape.since} and of the ${shape.compare} before; greatest change first${unread(Math.max(now.left, before.left))}`;
  const lines = ranked.slice(0, shape.top).map(({ name, is, was }) => {
    const ratio = is !== null && was !== null && was > 0 ? ` (x${size(is / was)})` : "";
    return `${name}: ${cell(is)}, before ${cell(was)}${ratio}`;
  });
  return answerLines({ head, lines, of: names.length, max: shape.max, narrow });
}

/** Up and down count alike; what was not there before, or is no more, counts most. */
function changeOf(is: number | null, was: number | null): number {
  if (is === null || was === null) return is === was ? 0 : Number.MAX_VALUE;
  const smallest = 1e-6;
  return Math.abs(Math.log((is + smallest) / (was + smallest)));
}
