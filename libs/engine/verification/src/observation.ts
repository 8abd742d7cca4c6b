import type { Measurement, OracleVerdict } from "@microremed/contracts";

const mostMeasurements = 20;

/** What was measured, in words, without thresholds or verdicts: what an operator's dashboard would show. */
export function observationOf(verdicts: readonly OracleVerdict[]): string {
  const all = verdicts.flatMap(({ measurements }) => measurements);
  const shown = all.slice(0, mostMeasurements).map(sentenceOf);
  const more = all.length > shown.length ? [`and ${all.length - shown.length} more measurements`] : [];
  return [...shown, ...more].join("\n");
}

function sentenceOf({ name, value, unit }: Measurement): string {
  return value === null ? `${name}: not measured` : `${name}: ${Number(value.toPrecision(4))} ${unit}`.trim();
}
