import { type AgentContext, defineAgent, metricRows, workloadsOf } from "@microremed/catalogue";

/** Share of failed requests from which a workload is not served. */
const mostErrors = 0.05;
/** What a rollout and new measurements take, s. */
const settleSeconds = 60;

/** Restarts everything, then rolls back one workload after the other and takes back what did not help. */
export default defineAgent({
  name: "TryEach",
  description:
    "restarts every workload, then rolls back one after the other and undoes what did not help, until requests are served: no diagnosis, a baseline",
  tasks: ["mitigation"],
  tools: ["probe_system", "exec_shell", "query_metrics", "wait", "undo_last_action"],
  code: true,
  maxAttempts: (requested) => requested,
  solve: async (context) => {
    const { call, submit, stop, report } = context;
    const workloads = await workloadsOf(context);
    const kubectl = (words: string) =>
      call("exec_shell", { command: `kubectl -n ${report.namespace} ${words}` });
    const names = workloads.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`);
    if (names.length === 0) return stop("no workload was found");
    // A rollback takes the last rollout back, so that a restart must be none.
    await kubectl("delete pods --all --wait=false");
    if (await isServed(context)) return submit();
    for (const name of names) {
      const { ran, exitCode } = await kubectl(`rollout undo ${name}`);
      if (!ran) break;
      if (exitCode !== 0) continue;
      if (await isServed(context)) return submit();
      await call("undo_last_action");
    }
    return submit();
  },
});

/** Whether all replicas are there and hardly a request fails. */
async function isServed({ call, report }: Pick<AgentContext, "call" | "report">): Promise<boolean> {
  await call("wait", { seconds: settleSeconds });
  const field = "{.spec.replicas}={.status.readyReplicas}";
  const { text: replicas } = await call("exec_shell", {
    command: `kubectl -n ${report.namespace} get deployments,statefulsets -o jsonpath='{range .items[*]}${field}{"\\n"}{end}'`,
  });
  const isReady = [...replicas.matchAll(/^(\d+)=(\d*)$/gm)].every(([, wanted, ready]) => wanted === ready);
  const { text } = await call("query_metrics", { metric: "errors", since: "20s", step: "20s", top: 100 });
  const failing = metricRows(text).some(({ values }) => (values.at(-1) ?? 0) > mostErrors);
  return isReady && !failing;
}
