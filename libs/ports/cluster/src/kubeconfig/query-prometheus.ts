import { clipMiddle, retryable } from "@microremed/core";
import { z } from "zod";
import type { PrometheusSeries } from "../cluster.types.ts";

const Sample = z.tuple([z.number(), z.string()]);
const Series = z.object({
  metric: z.record(z.string(), z.string()),
  value: Sample.optional(),
  values: z.array(Sample).optional(),
});
const Answer = z.union([
  z.object({
    status: z.literal("success"),
    data: z.discriminatedUnion("resultType", [
      z.object({ resultType: z.literal("vector"), result: z.array(Series) }),
      z.object({ resultType: z.literal("matrix"), result: z.array(Series) }),
      z.object({ resultType: z.literal("scalar"), result: Sample }),
      z.object({ resultType: z.literal("string"), result: Sample }),
    ]),
  }),
  z.object({ status: z.literal("error"), error: z.string() }),
]);

/** What Prometheus answered, as text for an agent. */
export interface PrometheusAnswer {
  readonly ok: boolean;
  /** One series a line, or what Prometheus did not like. */
  readonly text: string;
}

/** Maximum series in an answer. */
const maxSeries = 500;

/**
 * Has a Prometheus evaluate a query now. Throws retryable `cluster-unreachable` when it does not answer in `timeoutMs`, or
 * with something else than Prometheus would.
 */
export async function queryPrometheus(
  baseUrl: string,
  query: string,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<PrometheusAnswer> {
  return asAnswer(await ask(baseUrl, query, options));
}

/** The series of a range selector, with the times at which they were scraped; none when Prometheus does not like it. */
export async function readSeries(
  baseUrl: string,
  query: string,
  timeoutMs: number,
): Promise<readonly PrometheusSeries[]> {
  const answer = await ask(baseUrl, query, { timeoutMs, signal: new AbortController().signal });
  return answer.status === "success" && answer.data.resultType === "matrix" ? answer.data.result : [];
}

/** A query over a stretch of time, ms since the epoch. */
export interface RangeQuery {
  readonly query: string;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** What a query comes to at every step of a range; none when Prometheus does not like it. Throws as `queryPrometheus`. */
export async function queryRange(
  baseUrl: string,
  { query, from, to, stepMs }: RangeQuery,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<readonly PrometheusSeries[]> {
  const range = { start: `${from / 1000}`, end: `${to / 1000}`, step: `${stepMs / 1000}` };
  const answer = await ask(baseUrl, query, { ...options, range });
  return answer.status === "success" && answer.data.resultType === "matrix" ? answer.data.result : [];
}

async function ask(
  baseUrl: string,
  query: string,
  options: { timeoutMs: number; signal: AbortSignal; range?: Readonly<Record<string, string>> },
): Promise<z.infer<typeof Answer>> {
  const { timeoutMs, signal, range } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/api/v1/${range ? "query_range" : "query"}`;
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ query, ...range }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return Answer.parse(await response.json());
  } catch (cause) {
    signal.throwIfAborted();
    throw retryable(
      "cluster-unreachable",
      `Prometheus at ${url} gave no answer: ${clipMiddle(String(cause), 300)}`,
    );
  }
}

function asAnswer(answer: z.infer<typeof Answer>): PrometheusAnswer {
  if (answer.status === "error") return { ok: false, text: answer.error };
  const { resultType, result } = answer.data;
  if (resultType === "scalar" || resultType === "string") return { ok: true, text: result[1] };
  const lines = result.slice(0, maxSeries).map(line);
  const more = result.length > maxSeries ? [`... and ${result.length - maxSeries} more series`] : [];
  return { ok: true, text: [...lines, ...more].join("\n") || "(no series)" };
}

function line({ metric, value, values = [] }: z.infer<typeof Series>): string {
  const { __name__: name = "", ...labels } = metric;
  const inside = Object.entries(labels).map(([key, label]) => `${key}=${JSON.stringify(label)}`);
  const samples = value ? [value] : values;
  const numbers = samples.map(([at, number]) => (value ? number : `${number}@${at}`));
  return `${name}{${inside.join(",")}} ${numbers.join(" ")}`;
}
