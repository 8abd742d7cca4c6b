import { fromHistory } from "./from-history.ts";
import { fromPrometheus } from "./from-prometheus.ts";
import { type ClusterQuestion, type Place, type Stretch, stretchOf } from "./place.ts";
import type { Found, Row, SeriesQuery } from "./series.types.ts";

type Question = Extract<ClusterQuestion, { kind: "series" }>;

/** Most steps of a range, and most rows of an answer. */
const maxSteps = 720;
const maxRows = 400;

/** Measurements of the arena's pods over time. Throws `NotHere` where nothing keeps them. */
export async function series(question: Question, place: Place): Promise<string> {
  const { names, of, per = "pod" } = question;
  const { now, ...stretch } = await stretchOf(place, question);
  const { at, rows } = await readSeries({ names, per, ...stepsOf(stretch, question.stepSeconds) }, place);
  const wanted = rows.filter(({ workload, pod }) => of === undefined || workload === of || pod === of);
  const left = Math.max(0, wanted.length - maxRows);
  return JSON.stringify({ now, at, rows: wanted.slice(0, maxRows).map(rounded), left });
}

/** Whole steps that end with the stretch and begin within it. */
function stepsOf(
  { from, to }: Omit<Stretch, "now">,
  stepSeconds: number,
): Pick<SeriesQuery, "from" | "to" | "stepMs"> {
  const wanted = Math.max(stepSeconds * 1000, Math.ceil((to - from) / maxSteps));
  const stepMs = Math.max(1000, Math.min(wanted, to - from));
  return { from: to - Math.floor((to - from) / stepMs) * stepMs, to, stepMs };
}

/** Measurements of everything in the arena in a range. Throws `NotHere` where nothing keeps them. */
export function readSeries(query: SeriesQuery, place: Place): Promise<Found> {
  return place.prometheus === undefined ? fromHistory(query, place) : fromPrometheus(query, place);
}

const rounded = (row: Row): Row => ({
  ...row,
  values: row.values.map((value) => (value === null ? null : Number(value.toPrecision(4)))),
});
