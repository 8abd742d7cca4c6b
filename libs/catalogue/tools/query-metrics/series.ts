import { z } from "@microremed/catalogue";

const Answer = z.object({
  at: z.array(z.number()),
  rows: z.array(
    z.object({
      name: z.string(),
      pod: z.string().optional(),
      workload: z.string(),
      values: z.array(z.number().nullable()),
    }),
  ),
  left: z.number().default(0),
});

/** One line of a metric: a value for every moment of `at`; null: nothing measured, or nothing served. */
export interface Row {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface Series {
  /** Cluster time, ms. */
  readonly at: readonly number[];
  readonly rows: readonly Row[];
  /** Rows that there are beside these. */
  readonly left: number;
}

/** Reads the arena's answer: memory in MiB, a row for each pod or workload that was asked for. */
export function readSeries(json: string): Series {
  const { at, rows, left } = Answer.parse(JSON.parse(json));
  const unit = (name: string): number => (name === "memory" ? 2 ** 20 : 1);
  return {
    at,
    rows: rows.map(({ name, pod, workload, values }) => ({
      name: pod ?? workload,
      values: values.map((value) => value && value / unit(name)),
    })),
    left,
  };
}
