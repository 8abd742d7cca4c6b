import type { ProbeSpec } from "./container-spec.ts";

/** What a probe has shown so far. */
export interface ProbeState {
  readonly verdict: boolean;
  /** The last results that were alike. */
  readonly row: { readonly ok: boolean; readonly length: number };
}

/** The state after one more result: the verdict changes when a threshold of results in a row is reached. */
export function probeVerdict({ verdict, row }: ProbeState, ok: boolean, spec: ProbeSpec): ProbeState {
  const next = { ok, length: row.ok === ok ? row.length + 1 : 1 };
  const threshold = ok ? (spec.successThreshold ?? 1) : (spec.failureThreshold ?? 3);
  return { verdict: next.length < threshold ? verdict : ok, row: next };
}
