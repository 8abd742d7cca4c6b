import { SeriesName } from "@microremed/contracts";
import { z } from "zod";

/** Most of each kind that one window holds; what is beyond is counted, and left out. */
export const bounds = { pods: 2_000, steps: 11_000, traces: 5_000, spans: 500_000, lines: 100_000 } as const;

const value = z.number().nullable();

/** service, operation, kind, start after the trace's, duration (both ms), position of the parent or -1, error or "", pod. */
const Span = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.int(),
  z.string(),
  z.string(),
]);

/** One a step; null: not measured, or nothing served. Cores, bytes, requests/s, share of failed requests (0..1), ms, ms. */
const values = z.record(SeriesName, z.array(value));

const PodMetrics = z.strictObject({ pod: z.string(), workload: z.string(), values });
/** What was measured of one pod, a value a step: cores, bytes, requests/s, share of failures (0..1), ms, ms. */
export type PodMetrics = z.infer<typeof PodMetrics>;

const WorkloadMetrics = z.strictObject({ workload: z.string(), values });
/** The same of a workload's pods together: what is of requests is that of all their requests in the step. */
export type WorkloadMetrics = z.infer<typeof WorkloadMetrics>;

const WindowTrace = z.strictObject({ id: z.string(), start: z.number(), spans: z.array(Span) });
/** One sampled request; `start` is cluster time, ms, and its spans begin so many ms after it. */
export type WindowTrace = z.infer<typeof WindowTrace>;

const LogLine = z.strictObject({
  at: z.number(),
  pod: z.string(),
  workload: z.string(),
  container: z.string(),
  text: z.string(),
});
/** A line that a container printed; `at` is cluster time, ms. */
export type LogLine = z.infer<typeof LogLine>;

/** What an arena's telemetry had of a stretch of cluster time. All times are cluster time, ms since the epoch. */
export const TelemetryWindow = z.strictObject({
  version: z.literal(1),
  namespace: z.string(),
  from: z.number(),
  to: z.number(),
  stepSeconds: z.number().positive(),
  at: z.array(z.number()).max(bounds.steps).describe("the end of each step"),
  pods: z.array(PodMetrics).max(bounds.pods),
  workloads: z.array(WorkloadMetrics).max(bounds.pods).optional().describe("absent: of an earlier version"),
  traces: z.array(WindowTrace).max(bounds.traces).describe("sampled requests, by start"),
  logs: z.array(LogLine).max(bounds.lines).describe("by time"),
  left: z
    .strictObject({ pods: z.int(), traces: z.int(), lines: z.int() })
    .describe("how many did not fit; of traces and lines the oldest"),
  missing: z.array(z.enum(["metrics", "traces"])).describe("what the cluster does not keep"),
});
export type TelemetryWindow = z.infer<typeof TelemetryWindow>;
