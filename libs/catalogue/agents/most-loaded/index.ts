import { defineAgent, metricRows, restartPlaybook, workloadsOf } from "@microremed/catalogue";

/** The workload that uses the most CPU is suspected. */
export default defineAgent({
  name: "MostLoaded",
  description:
    "suspects the workload that uses the most CPU, and that something is wrong if it uses more than all others together: a baseline",
  tasks: ["detection", "localization", "mitigation"],
  tools: ["query_metrics", "probe_system"],
  code: true,
  maxAttempts: (requested) => requested,
  solve: async (context) => {
    const { task, call, submit, act, stop, report } = context;
    const { text } = await call("query_metrics", { metric: "cpu", since: "1m", top: 100 });
    const loads = metricRows(text)
      .map(({ name, values }) => ({ name, load: values.at(-1) ?? 0 }))
      .sort((a, b) => b.load - a.load);
    const [most, ...others] = loads;
    if (task.name === "detection")
      return submit({ anomaly: (most?.load ?? 0) > others.reduce((sum, { load }) => sum + load, 0) });
    const suspected = (await workloadsOf(context)).filter(({ name }) => name === most?.name).slice(0, 1);
    if (task.name === "localization") return submit({ objects: suspected });
    const [target] = suspected;
    return target
      ? act("run_playbook", { playbook: restartPlaybook(target, report) })
      : stop("no load was measured");
  },
});
