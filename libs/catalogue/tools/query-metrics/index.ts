import { Duration, defineTool, secondsOf, z } from "@microremed/catalogue";
import { comparisonText, seriesText } from "./render.ts";
import { readSeries } from "./series.ts";

const maxResult = 8_000;
/** Between two values, s. */
const shortestStep = 5;

/** With `metric`: over time. Without it, as it was before there was a history: what the metrics API has now. */
export default defineTool({
  name: "query_metrics",
  kind: "observe",
  rights: "read",
  maxResult,
  description:
    "Get one metric of every workload over time (with `metric`), ranked, or compared with the time before; without arguments the CPU and memory that every container uses now; with `promql` what Prometheus answers, where the cluster has one.",
  arguments: z.object({
    metric: z
      .enum(["cpu", "memory", "requests", "errors", "latency", "latency_p95"])
      .optional()
      .describe(
        "cores, MiB, requests/s, share of failed requests (0..1), ms, ms; - where nothing was measured or served",
      ),
    of: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
      .optional()
      .describe("One workload; default: all"),
    since: Duration.optional().describe("How far back, default 10m"),
    step: Duration.optional().describe("Time between two values, default 15s"),
    per: z.enum(["workload", "pod"]).optional().describe("Default: workload"),
    top: z.int().min(1).max(100).optional().describe("How many, the highest first; default 10"),
    compare: Duration.optional().describe(
      "Compare with this long before `since`, e.g. 5m: one value for each of the two stretches; the greatest change first",
    ),
    promql: z.string().max(4096).optional().describe("A PromQL query; it sees the namespace alone"),
  }),
  example: { metric: "latency", since: "5m", top: 5 },
  run: async (args, { ask }) => {
    const { metric, promql, of, since = "10m", step = "15s", per = "workload", top = 10, compare } = args;
    if (metric === undefined || promql !== undefined)
      return ask({ kind: "metrics", ...(promql !== undefined && { promql }) });
    const question = { kind: "series" as const, names: [metric], per, ...(of !== undefined && { of }) };
    const sinceSeconds = secondsOf(since);
    const shape = { metric, per, top, max: maxResult };
    if (compare === undefined) {
      const stepSeconds = Math.min(3600, Math.max(shortestStep, secondsOf(step)));
      const reply = await ask({ ...question, sinceSeconds, untilSeconds: 0, stepSeconds });
      if (reply.status !== "ok") return reply;
      const found = readSeries(reply.output);
      return found.rows.length === 0 ? nothing(of) : seriesText(found, { ...shape, step: stepSeconds });
    }
    const from = Math.min(86_400, sinceSeconds + secondsOf(compare));
    const [now, before] = [
      await ask({ ...question, ...oneStep(sinceSeconds, 0) }),
      await ask({ ...question, ...oneStep(from, sinceSeconds) }),
    ];
    if (now.status !== "ok") return now;
    if (before.status !== "ok") return before;
    const [is, was] = [readSeries(now.output), readSeries(before.output)];
    if (is.rows.length + was.rows.length === 0) return nothing(of);
    return comparisonText(is, was, { ...shape, since, compare });
  },
});

/** A stretch as one step: its values are those of all its requests together. */
const oneStep = (sinceSeconds: number, untilSeconds: number) => ({
  ...{ sinceSeconds, untilSeconds },
  stepSeconds: Math.max(shortestStep, sinceSeconds - untilSeconds),
});

const nothing = (of: string | undefined): string =>
  of === undefined
    ? "Nothing was measured in that time."
    : `Nothing was measured of ${JSON.stringify(of)} in that time: without \`of\` you see what there is.`;
