import type { SeriesName } from "@microremed/contracts";

/** One measurement of one pod, or of the pods of one workload, over time. */
export interface Row {
  readonly name: SeriesName;
  /** Of a row of one pod. */
  readonly pod?: string;
  readonly workload: string;
  /**
   * One a step; null: nothing was measured, or nothing served, in it. Cores, bytes, requests/s, shares of requests (0..1), ms:
   * each of all requests of the step together.
   */
  readonly values: readonly (number | null)[];
}

/** What is asked for: which measurements, when, and of what a row is. */
export interface SeriesQuery {
  readonly names: readonly SeriesName[];
  readonly per: "pod" | "workload";
  /** Cluster time and step, ms; of a range that is not of whole steps the first begins before it. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Measurements by pod or workload. */
export interface Found {
  /** Cluster time, ms: the end of each step. */
  readonly at: readonly number[];
  readonly rows: readonly Row[];
}
