import type { EpisodeDocument } from "@microremed/contracts";
import type { Table } from "@microremed/scoring";

/** `12.3 s`, or a dash for what is not known. */
export function secondsIn(value: number | null): string {
  return value === null ? "-" : `${value.toFixed(1)} s`;
}

/** US dollars, or that the cost is unknown. */
export function moneyIn(cost: number | null): string {
  return cost === null ? "not known: the model has no prices" : `$${cost.toFixed(4)}`;
}

type Measurements = NonNullable<EpisodeDocument["injection"]>["verdict"]["measurements"];

/** A row for each measurement. */
export function measurementTable(measurements: Measurements): Table {
  return [
    ["measured", "value", "threshold", "unit", "at (cluster time)"],
    ...measurements.map(({ name, value, threshold, unit, at }) => [
      name,
      numberIn(value),
      numberIn(threshold),
      unit,
      new Date(at).toISOString(),
    ]),
  ];
}

export function numberIn(value: number | null): string {
  return value === null ? "-" : String(Math.round(value * 1000) / 1000);
}
