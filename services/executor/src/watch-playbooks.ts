import type { PlaybookRun } from "@microremed/ansible";
import type { Execution } from "@microremed/contracts";
import type { Metrics, Tracing } from "@microremed/service-kit";

type RunPlaybook = (run: PlaybookRun) => Promise<Execution>;

/** Seconds. */
const buckets = [0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600];

/** Counts runs of Ansible and has each in a span; never what is run or what it prints. */
export function watchPlaybooks(runPlaybook: RunPlaybook, metrics: Metrics, tracing: Tracing): RunPlaybook {
  const runs = metrics.counter({
    name: "microremed_ansible_runs_total",
    help: "Playbooks by how they ended; rejected ones were not run",
    labels: ["status"],
  });
  const duration = metrics.histogram({
    name: "microremed_ansible_run_duration_seconds",
    help: "How long the playbooks that were run took",
    labels: [],
    buckets,
  });
  return (run) =>
    tracing.within("ansible-playbook", {}, async (span) => {
      const execution = await runPlaybook(run);
      const { status, exitCode, wallSeconds, rule } = execution;
      runs({ status });
      if (status !== "rejected") duration({}, wallSeconds);
      span.set({
        "microremed.status": status,
        "microremed.rule": rule,
        "process.exit.code": exitCode ?? undefined,
      });
      return execution;
    });
}
