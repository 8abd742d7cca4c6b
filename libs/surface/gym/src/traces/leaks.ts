import type { Disjoint } from "@microremed/dataset";
import { parts } from "@microremed/dataset";
import type { TraceLabels } from "./trace.types.ts";

const keyOf: Readonly<Record<Disjoint, (labels: TraceLabels) => string>> = {
  mechanism: ({ mechanism }) => mechanism,
  environment: ({ environment }) => environment,
  target: ({ environment, target }) => `${environment}/${target}`,
};

/** What two parts have in common that they must not, in words; empty: nothing. */
export function leaksOf(all: readonly TraceLabels[], disjoint: readonly Disjoint[]): string[] {
  return disjoint.flatMap((by) => {
    // Where nothing is wrong there is no mechanism, and no place of one.
    const named = by === "environment" ? all : all.filter(({ mechanism }) => mechanism !== "none");
    const places = Map.groupBy(named, keyOf[by]);
    return [...places].flatMap(([key, labels]) => {
      const found = parts.filter((part) => labels.some((one) => one.part === part));
      return found.length > 1 ? [`the ${by} ${key} is in ${found.join(" and ")}`] : [];
    });
  });
}
