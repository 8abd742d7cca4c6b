import { type AgentContext, defineAgent, metricRows, workloadsOf } from "@microremed/catalogue";
import { errorLines, type Vote, votesOfLogs, votesOfMetrics, votesOfTraces, winners } from "./votes.ts";

const metrics = ["cpu", "memory", "errors", "latency"] as const;
const stepSeconds = 5;
const waitSeconds = 30;
/** Votes from which on something is wrong. */
const leastVotes = 5;
const words = "error|exception|fail|refused|timeout|denied|panic";

/** In the style of PDiagnose (Hou et al. 2021): our reconstruction of it, with our numbers. */
export default defineAgent({
  name: "PDiagnose-like",
  description:
    "detection and localization by votes of metrics, traces and logs, each by itself, in the style of PDiagnose",
  tasks: ["detection", "localization"],
  tools: ["wait", "query_metrics", "search_traces", "probe_system"],
  code: true,
  maxAttempts: () => 1,
  solve: async (context) => {
    await context.call("wait", { seconds: waitSeconds });
    const votes = await allVotes(context);
    const isWrong = votes.length >= leastVotes;
    if (context.task.name === "detection") return context.submit({ anomaly: isWrong });
    const [first] = isWrong ? winners(votes) : [];
    const objects = (await workloadsOf(context)).filter(({ name }) => name === first);
    return context.submit({ objects });
  },
});

async function allVotes({ call }: AgentContext): Promise<Vote[]> {
  const votes: Vote[] = [];
  let moments = 0;
  for (const metric of metrics) {
    const { text } = await call("query_metrics", { metric, since: "3m", step: `${stepSeconds}s`, top: 100 });
    const rows = metricRows(text);
    moments = Math.max(moments, ...rows.map(({ values }) => values.length));
    votes.push(...votesOfMetrics(rows));
  }
  // What the first fifth of the moments was is the reference of traces and logs as well.
  const first = Math.max(2, Math.floor(moments / 5)) * stepSeconds;
  const since = Math.max(stepSeconds, moments * stepSeconds - first);
  const traces = await call("search_traces", { since: `${since}s`, compare: `${first}s`, limit: 100 });
  const count = (seconds: number): string =>
    `$(kubectl logs $w --since=${seconds}s --tail=500 | grep -ciE '${words}')`;
  const logs = await call("probe_system", {
    command: `for w in $(kubectl get deployments,statefulsets,daemonsets -o name); do echo "$w ${count(since)} ${count(since + first)}"; done`,
  });
  return [...votes, ...votesOfTraces(traces.text), ...votesOfLogs(errorLines(logs.text), { since, first })];
}
