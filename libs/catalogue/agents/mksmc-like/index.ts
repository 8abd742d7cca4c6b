import { type AgentContext, defineAgent, metricRows, withoutGaps } from "@microremed/catalogue";
import { isAnomalous, momentScores, monteCarloThreshold } from "./k-sigma.ts";

const metrics = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;
/** The history that is asked for: 36 moments at most, so that the workloads of a small system fit in an answer. */
const window = { since: "3m", step: "5s", top: 100 };
/** Cluster time that is let pass first, so that there are moments to test. */
const waitSeconds = 30;
/** Share of the moments, the first ones, that is taken as free of faults; and the fewest. */
const reference = { share: 0.2, least: 2 };

/** In the style of Çetin and Tasgin's MKSMC (2020): our reconstruction of it, with our numbers. */
export default defineAgent({
  name: "MKSMC-like",
  description:
    "detection by the multivariate K-sigma score of all metrics, with a threshold by Monte Carlo, in the style of MKSMC",
  tasks: ["detection"],
  tools: ["wait", "query_metrics"],
  code: true,
  maxAttempts: () => 1,
  solve: async (context) => {
    await context.call("wait", { seconds: waitSeconds });
    const rows = await allRows(context);
    const length = Math.max(0, ...rows.map((values) => values.length));
    const first = Math.max(reference.least, Math.floor(length * reference.share));
    const series = rows.filter((values) => values.length === length);
    const scores = momentScores(series, first).slice(first);
    const threshold = monteCarloThreshold(series, first, context.random);
    return context.submit({ anomaly: isAnomalous(scores, threshold) });
  },
});

async function allRows({ call }: AgentContext): Promise<number[][]> {
  const rows: number[][] = [];
  for (const metric of metrics) {
    const { text } = await call("query_metrics", { metric, ...window });
    rows.push(...metricRows(text).map(({ values }) => withoutGaps(values, metric)));
  }
  return rows;
}
