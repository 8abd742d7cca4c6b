import type { Templates } from "./templates.ts";

/** A line of a log; `at`: seconds of the day, UTC. */
export interface LogLine {
  readonly at: number;
  readonly text: string;
}

const stamped = /^\d{4}-\d\d-\d\dT(\d\d):(\d\d):(\d\d)\S* (.+)$/gm;

/** Lines as kubectl prints them with `--timestamps`. */
export const readLines = (text: string): LogLine[] =>
  [...text.matchAll(stamped)].map(([, hours, minutes, seconds, rest = ""]) => ({
    at: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
    text: rest,
  }));

/**
 * How unlike its reference the whole system's log is up to each moment since the one before: 1 - cosine of the counts per
 * template, weighted by how rare a template is, with the mean of the first fifth of the moments. 0: alike, 1: nothing in
 * common; also 0 where nothing was written.
 */
export function anomalySeries(
  lines: readonly LogLine[],
  templates: Templates,
  times: readonly number[],
): number[] {
  const [first = 0, second = first + 1] = times;
  const step = second - first;
  const counts = times.map(() => new Map<number, number>());
  for (const { at, text } of lines) {
    const bucket = counts[Math.ceil((at - first) / step)];
    const template = templates(text);
    bucket?.set(template, (bucket.get(template) ?? 0) + 1);
  }
  const found = [...new Set(counts.flatMap((bucket) => [...bucket.keys()]))];
  const rareness = found.map((template) => {
    const buckets = counts.filter((bucket) => bucket.has(template)).length;
    return Math.log((1 + times.length) / (1 + buckets)) + 1;
  });
  const vectors = counts.map((bucket) =>
    found.map((template, i) => (bucket.get(template) ?? 0) * (rareness[i] ?? 0)),
  );
  const reference = vectors.slice(0, Math.max(2, Math.floor(times.length / 5)));
  const mean = found.map(
    (_, i) => reference.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / reference.length,
  );
  return vectors.map((vector) => (lengthOf(vector) === 0 ? 0 : 1 - cosine(vector, mean)));
}

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

function cosine(a: readonly number[], b: readonly number[]): number {
  const lengths = lengthOf(a) * lengthOf(b);
  return lengths === 0 ? 0 : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / lengths;
}
