import { answerLines, clockTime } from "@microremed/catalogue";
import { meanOf, type Row, type Series } from "./series.ts";

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
const lastOf = ({ values }: Row): number => values.findLast((value) => value !== null) ?? -1;
const title = ({ metric, per }: Shape): string => `${metric} (${units[metric]}) per ${per}`;
const narrow = "raise `top`, name one in `of`, or take a longer `step`";

/** A line for each row, highest last value first: `cart: 0.1 0.2 -`. */
export function seriesText({ at, rows }: Series, shape: Shape & { readonly step: number }): string {
  const ranked = [...rows].sort((a, b) => lastOf(b) - lastOf(a) || (a.name < b.name ? -1 : 1));
  const [first = 0, last = first] = [at[0], at.at(-1)];
  const head = `${title(shape)}, every ${shape.step} s from ${clockTime(first)} to ${clockTime(last)}; highest now first`;
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
  const earlier = new Map(before.rows.map((row) => [row.name, meanOf(row)]));
  const changes = now.rows.map((row) => {
    const [is, was] = [meanOf(row), earlier.get(row.name)];
    return { name: row.name, is, was, change: changeOf(is, was) };
  });
  const ranked = changes.sort((a, b) => b.change - a.change || (a.name < b.name ? -1 : 1));
  const head = `${title(shape)}, mean of the last ${shape.since} and of the ${shape.compare} before; greatest change first`;
  const lines = ranked.slice(0, shape.top).map(({ name, is, was }) => {
    const ratio = is !== undefined && was !== undefined && was > 0 ? ` (x${size(is / was)})` : "";
    return `${name}: ${is === undefined ? "-" : size(is)}, before ${was === undefined ? "-" : size(was)}${ratio}`;
  });
  return answerLines({ head, lines, of: now.rows.length, max: shape.max, narrow });
}

/** Up and down count alike; what was not there before counts most. */
function changeOf(is: number | undefined, was: number | undefined): number {
  if (is === undefined || was === undefined) return is === was ? 0 : Number.MAX_VALUE;
  const smallest = 1e-6;
  return Math.abs(Math.log((is + smallest) / (was + smallest)));
}
