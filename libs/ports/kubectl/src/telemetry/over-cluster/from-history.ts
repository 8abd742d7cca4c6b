import { parseJson } from "@microremed/core";
import { z } from "zod";
import { NotHere, type Place } from "./place.ts";
import type { Found, SeriesQuery } from "./series.types.ts";

/** Where a cluster keeps a history of its pods' metrics for who has no Prometheus. */
const history = { namespace: "observability", name: "metrics-history", port: 9090 } as const;

const Stored = z.object({
  names: z.array(z.string()),
  at: z.array(z.number()),
  series: z.array(
    z.object({
      pod: z.string().optional(),
      workload: z.string(),
      values: z.array(z.array(z.number().nullable()).nullable()),
    }),
  ),
});

/** What a cluster's own history has. Throws `NotHere` where there is none. */
export async function fromHistory(query: SeriesQuery, { cluster, namespace }: Place): Promise<Found> {
  const { names, per, from, to, stepMs } = query;
  const text = await cluster.fetchText(
    { kind: "services", ...history },
    `/api/v1/series?namespace=${namespace}&from=${from}&to=${to}&step=${stepMs}&of=${per}`,
  );
  const stored = Stored.safeParse(parseJson(text ?? ""));
  if (!stored.success)
    throw new NotHere(
      "This cluster keeps no history of its metrics (it has no Prometheus). Without `metric` you get the CPU and memory of every container now.",
    );
  const { at, series, names: columns } = stored.data;
  const rows = names.flatMap((name) => {
    const column = columns.indexOf(name);
    return series.map(({ pod, workload, values }) => ({
      name,
      ...(pod !== undefined && { pod }),
      workload,
      values: values.map((step) => step?.[column] ?? null),
    }));
  });
  return { at, rows };
}
