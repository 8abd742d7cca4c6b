import { z } from "@microremed/catalogue";

const Answer = z.object({
  at: z.array(z.number()),
  rows: z.array(
    z.object({
      name: z.string(),
      pod: z.string(),
      workload: z.string(),
      values: z.array(z.number().nullable()),
    }),
  ),
});

/** One line of a metric: a value for every moment of `at`; null: not measured. */
export interface Row {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface Series {
  /** Cluster time, ms. */
  readonly at: readonly number[];
  readonly rows: readonly Row[];
}

/** What adds up over the pods of a workload; of anything else the mean counts. */
const sums = new Set(["cpu", "memory", "requests"]);

/** Reads the arena's answer; `per`: a row for each pod, or for each workload. */
export function readSeries(json: string, per: "workload" | "pod"): Series {
  const { at, rows } = Answer.parse(JSON.parse(json));
  const inUnits = rows.map((row) =>
    row.name === "memory" ? { ...row, values: row.values.map((value) => value && value / 2 ** 20) } : row,
  );
  if (per === "pod") return { at, rows: inUnits.map(({ pod, values }) => ({ name: pod, values })) };
  const byWorkload = Map.groupBy(inUnits, ({ workload }) => workload);
  return {
    at,
    rows: [...byWorkload].map(([name, pods]) => ({
      name,
      values: at.map((_, step) => joined(pods, step)),
    })),
  };
}

function joined(
  pods: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
  step: number,
) {
  const values = pods.flatMap((pod) => pod.values[step] ?? []);
  if (values.length === 0) return null;
  const sum = values.reduce((a, b) => a + b, 0);
  return sums.has(pods[0]?.name ?? "") ? sum : sum / values.length;
}

/** Undefined: nothing was measured. */
export function meanOf({ values }: Row): number | undefined {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0) / known.length;
}
