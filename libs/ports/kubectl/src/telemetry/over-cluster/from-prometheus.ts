import { queryRange } from "@microremed/cluster/kubeconfig";
import type { SeriesName } from "@microremed/contracts";
import { workloadInName } from "@microremed/kube-rules";
import type { Place } from "./place.ts";
import { recipeOf } from "./recipes.ts";
import type { Found, Row, SeriesQuery } from "./series.types.ts";

/** What the cluster's Prometheus has, a query for each measurement. */
export async function fromPrometheus(
  { names, per, from, to, stepMs }: SeriesQuery,
  { namespace, prometheus = "", timeoutMs, signal }: Place,
): Promise<Found> {
  const steps = Math.ceil((to - from) / stepMs);
  const at = Array.from({ length: steps }, (_, step) => to - (steps - 1 - step) * stepMs);
  const [first] = at;
  if (first === undefined) return { at, rows: [] };

  async function rowsOf(name: SeriesName): Promise<Row[]> {
    const query = recipeOf(name, { namespace, per, stepSeconds: stepMs / 1000 });
    const found = await queryRange(
      prometheus,
      { query, from: first ?? to, to, stepMs },
      { timeoutMs, signal },
    );
    return found.map(({ metric, values = [] }) => {
      const byTime = new Map(values.map(([seconds, value]) => [Math.round(seconds * 1000), Number(value)]));
      const valueAt = (moment: number): number | null => {
        const value = byTime.get(Math.round(moment));
        return value === undefined || !Number.isFinite(value) ? null : value;
      };
      return { name, ...ownerIn(metric, per), values: at.map(valueAt) };
    });
  }
  return { at, rows: (await Promise.all(names.map(rowsOf))).flat() };
}

function ownerIn(
  metric: Readonly<Record<string, string>>,
  per: SeriesQuery["per"],
): Pick<Row, "pod" | "workload"> {
  if (per === "workload") return { workload: metric["workload"] ?? "" };
  const { pod = "" } = metric;
  return { pod, workload: workloadInName(pod) };
}
