import {
  type AgentContext,
  defineAgent,
  metricRows,
  metricTimes,
  withoutGaps,
  workloadsOf,
} from "@microremed/catalogue";
import { type NamedSeries, ranked } from "./correlate.ts";
import { anomalySeries, readLines } from "./log-anomaly.ts";
import { createTemplates } from "./templates.ts";

const metrics = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;
const stepSeconds = 10;
const waitSeconds = 60;
/** Characters of log lines that fit in an answer to code, and of one line. */
const answer = { characters: 60_000, line: 160 };

/** In the style of RMLAD (Wang et al. 2020): our reconstruction of it, with our numbers. */
export default defineAgent({
  name: "RMLAD-like",
  description:
    "localization by the metric that moves with the anomaly of the system's logs, in the style of RMLAD",
  tasks: ["localization"],
  tools: ["wait", "query_metrics", "probe_system"],
  code: true,
  maxAttempts: () => 1,
  solve: async (context) => {
    const { call, random, submit } = context;
    await call("wait", { seconds: waitSeconds });
    const workloads = await workloadsOf(context);
    const { times, series } = await allSeries(context);
    const lines = readLines((await call("probe_system", { command: logs(workloads.length) })).text);
    const anomaly = anomalySeries(lines, createTemplates(), times);
    const [first] = ranked(anomaly, series, random);
    return submit({ objects: workloads.filter(({ name }) => name === first) });
  },
});

/** As many of the last lines of every workload as fit. */
function logs(workloads: number): string {
  const lines = Math.min(
    100,
    Math.max(5, Math.floor(answer.characters / answer.line / Math.max(1, workloads))),
  );
  return `for w in $(kubectl get deployments,statefulsets,daemonsets -o name); do kubectl logs $w --since=5m --tail=${lines} --timestamps | cut -c1-${answer.line}; done`;
}

/** Every metric of every workload, and the moments (seconds of the day) at which all were measured. */
async function allSeries({ call }: AgentContext): Promise<{ times: number[]; series: NamedSeries[] }> {
  const series: NamedSeries[] = [];
  let times: number[] = [];
  for (const metric of metrics) {
    const { text } = await call("query_metrics", { metric, since: "5m", step: `${stepSeconds}s`, top: 100 });
    const rows = metricRows(text);
    const clock = metricTimes(text);
    const length = rows[0]?.values.length ?? 0;
    if (clock && times.length === 0) times = Array.from({ length }, (_, i) => clock.first + i * clock.step);
    series.push(...rows.map(({ name, values }) => ({ name, values: withoutGaps(values, metric) })));
  }
  return { times, series: series.filter(({ values }) => values.length === times.length) };
}
